import { fromBinary } from "@bufbuild/protobuf";
import type { ColumnSpec } from "../../sets/bench-set.js";
import { exampleDescriptor } from "./example-descriptor.js";
import type { FeatureValues, Int64Objects, ObjectDecoder } from "./object-decoder.js";

/** A `tensorflow.Example` as protobuf-es decodes it. */
interface ExampleObject {
  readonly features?: {
    readonly feature: Readonly<Record<string, FeatureObject | undefined>>;
  };
}
interface FeatureObject {
  readonly kind: {
    readonly case: string | undefined;
    readonly value?: { readonly value: ArrayLike<unknown> };
  };
}

const bigInt64: Int64Objects = {
  store: (values, _halves, index, value) => {
    values[index] = value as bigint;
  },
  toBigInt: (value) => value as bigint,
};

/** Decodes with protobuf-es, which interprets a descriptor and represents int64 as bigint. */
export function protobufEsObjects(columns: readonly ColumnSpec[]): ObjectDecoder {
  const descriptor = exampleDescriptor();
  const values = columns.map((): FeatureValues => null);
  return {
    int64: bigInt64,
    decode: (payload) => {
      // The descriptor exists only at run time, so the compiler does not know the message's type.
      const example = fromBinary(descriptor, payload) as unknown as ExampleObject;
      const features = example.features?.feature ?? {};
      for (let i = 0; i < columns.length; i++) {
        values[i] = features[(columns[i] as ColumnSpec).name]?.kind.value?.value ?? null;
      }
      return values;
    },
  };
}
