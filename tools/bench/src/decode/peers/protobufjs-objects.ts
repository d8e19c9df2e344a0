import path from "node:path";
import protobuf from "protobufjs";
import type { ColumnSpec } from "../../sets/bench-set.js";
import type { FeatureValues, Int64Objects, ObjectDecoder } from "./object-decoder.js";

/** Path of example.proto. */
export const protoFile: string = path.join(
  import.meta.dirname,
  "../../../../../proto/tensorflow/core/example/example.proto",
);

interface Long {
  readonly low: number;
  readonly high: number;
}
interface FeatureObject {
  readonly bytesList?: { readonly value?: ArrayLike<unknown> | null } | null;
  readonly floatList?: { readonly value?: ArrayLike<unknown> | null } | null;
  readonly int64List?: { readonly value?: ArrayLike<unknown> | null } | null;
}

/** A `tensorflow.Example` as protobufjs 6, 7 and 8 decode it. */
export interface ExampleObject {
  readonly features?: {
    readonly feature?: Readonly<Record<string, FeatureObject | undefined>> | null;
  } | null;
}

/** A `tensorflow.SequenceExample` as protobufjs decodes it. */
export interface SequenceObject {
  readonly context?: ExampleObject["features"];
  readonly featureLists?: {
    readonly featureList?: Readonly<
      Record<string, { readonly feature?: readonly FeatureObject[] } | undefined>
    > | null;
  } | null;
}

/** Conversions for protobufjs, which represents an int64 as two int32 halves. Storing the halves avoids a BigInt per value. */
export const longInt64: Int64Objects = {
  store: (_values, halves, index, value) => {
    halves[2 * index] = (value as Long).low;
    halves[2 * index + 1] = (value as Long).high;
  },
  toBigInt: (value) => (BigInt((value as Long).high) << 32n) | BigInt((value as Long).low >>> 0),
};

const listOf = { bytes: "bytesList", float: "floatList", int64: "int64List" } as const;

/** Returns the values of one feature, or null if the feature is absent or has no list of that kind. */
export function valuesOf(feature: FeatureObject | undefined, kind: ColumnSpec["kind"]): FeatureValues {
  return feature?.[listOf[kind]]?.value ?? null;
}

/** Fills `values` with the values of each column's feature, in column order. */
export function readFeatures(
  example: ExampleObject,
  columns: readonly ColumnSpec[],
  values: FeatureValues[],
): void {
  const features = example.features?.feature ?? {};
  for (let i = 0; i < columns.length; i++) {
    const { name, kind } = columns[i] as ColumnSpec;
    values[i] = valuesOf(features[name], kind);
  }
}

/** Creates a decoder of serialized SequenceExamples. */
export function sequenceExamples(): (payload: Uint8Array) => SequenceObject {
  const type = protobuf.loadSync(protoFile).lookupType("tensorflow.SequenceExample");
  return (payload) => type.decode(payload) as SequenceObject;
}

/**
 * Decodes with protobufjs, which generates a decoder at first use. That decoder is as fast as the code that the command-line
 * generator writes.
 */
export function protobufjsObjects(columns: readonly ColumnSpec[]): ObjectDecoder {
  const type = protobuf.loadSync(protoFile).lookupType("tensorflow.Example");
  const values = columns.map((): FeatureValues => null);
  return {
    int64: longInt64,
    decode: (payload) => {
      readFeatures(type.decode(payload) as ExampleObject, columns, values);
      return values;
    },
  };
}
