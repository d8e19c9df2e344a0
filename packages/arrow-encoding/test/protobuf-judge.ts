import { fromBinary } from "@bufbuild/protobuf";
import {
  ExampleSchema,
  type Feature,
  SequenceExampleSchema,
} from "../src/generated/tensorflow/core/example/example_pb.js";

/** A feature as parsed by protobuf-es: its kind and comparable values, or null if it has no kind. */
export type JudgedFeature = { readonly kind: 1 | 2 | 3; readonly values: readonly unknown[] } | null;

/** Returns the features of an Example as protobuf-es parses them, keyed by name; null if protobuf-es rejects the bytes. */
export function judge(bytes: Uint8Array): Map<string, JudgedFeature> | null {
  try {
    const { features } = fromBinary(ExampleSchema, bytes);
    return new Map(Object.entries(features?.feature ?? {}).map(([name, feature]) => [name, plain(feature)]));
  } catch {
    return null;
  }
}

/** The contents of a SequenceExample. */
export interface JudgedSequence {
  readonly context: Map<string, JudgedFeature>;
  /** Steps of each feature list, keyed by the name of the list. */
  readonly lists: Map<string, readonly JudgedFeature[]>;
  /** True if there is a `feature_lists` message. */
  readonly hasLists: boolean;
}

/** Returns a SequenceExample as protobuf-es parses it; null if protobuf-es rejects the bytes. */
export function judgeSequence(bytes: Uint8Array): JudgedSequence | null {
  try {
    const { context, featureLists } = fromBinary(SequenceExampleSchema, bytes);
    const lists = Object.entries(featureLists?.featureList ?? {});
    return {
      context: new Map(
        Object.entries(context?.feature ?? {}).map(([name, feature]) => [name, plain(feature)]),
      ),
      lists: new Map(lists.map(([name, { feature }]) => [name, feature.map(plain)])),
      hasLists: featureLists !== undefined,
    };
  } catch {
    return null;
  }
}

function plain({ kind }: Feature): JudgedFeature {
  switch (kind.case) {
    case "bytesList":
      return {
        kind: 1,
        values: kind.value.value.map((value) => ({ b64: Buffer.from(value).toString("base64") })),
      };
    case "floatList":
      return { kind: 2, values: kind.value.value };
    case "int64List":
      return { kind: 3, values: kind.value.value.map(String) };
    default:
      return null;
  }
}
