import { fromBinary } from "@bufbuild/protobuf";
import { ExampleSchema, type Feature } from "../src/generated/tensorflow/core/example/example_pb.js";

/** One feature as protobuf-es has it: a kind and comparable values, or null without kind. */
export type JudgedFeature = { readonly kind: 1 | 2 | 3; readonly values: readonly unknown[] } | null;

/** Features by name, as protobuf-es parses them; null when it refuses. */
export function judge(bytes: Uint8Array): Map<string, JudgedFeature> | null {
  try {
    const { features } = fromBinary(ExampleSchema, bytes);
    return new Map(Object.entries(features?.feature ?? {}).map(([name, feature]) => [name, plain(feature)]));
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
