import { createExampleDecoder } from "@tfxio/arrow-encoding";
import type { FeatureSpec } from "@tfxio/schema";
import type { Vector } from "apache-arrow";
import { plainValues } from "./values/arrow-array.js";
import { bytesJson } from "./values/scalar.js";
import type { TensorJson } from "./values/tensor.js";

/** Returns the values of each feature in one tf.Example. Omits features without a kind. */
function featuresOf(record: Uint8Array): ReadonlyMap<string, readonly unknown[]> {
  const batch = createExampleDecoder().decode([record]);
  const features = new Map<string, readonly unknown[]>();
  for (const [index, { name }] of batch.schema.fields.entries()) {
    const [values] = plainValues(batch.getChildAt(index) as Vector);
    if (Array.isArray(values)) features.set(name, values);
  }
  return features;
}

/** Returns a default value in the notation of the test vectors. */
export function plainDefault(values: readonly (bigint | number | Uint8Array)[]): unknown[] {
  return values.map((value) => {
    if (typeof value === "bigint") return String(value);
    return typeof value === "number" ? value : bytesJson(value);
  });
}

/** Returns the row splits of each partition, outermost first. Computes them from the innermost to the outermost partition. */
function nestedRowSplits(
  spec: Extract<FeatureSpec, { kind: "RaggedFeature" }>,
  features: ReadonlyMap<string, readonly unknown[]>,
  numValues: number,
): number[][] {
  const nested: number[][] = [];
  let numInner = numValues;
  for (const partition of spec.partitions.toReversed()) {
    const lengths =
      "rowLengths" in partition
        ? (features.get(partition.rowLengths) ?? []).map(Number)
        : Array.from<number>({ length: numInner / partition.uniformRowLength }).fill(
            partition.uniformRowLength,
          );
    const splits = [0];
    for (const length of lengths) splits.push((splits.at(-1) ?? 0) + length);
    if (splits.at(-1) !== numInner)
      throw new TypeError(`the row lengths must add up to ${numInner} values, found ${splits.at(-1)}`);
    nested.unshift(splits);
    numInner = lengths.length;
  }
  return nested;
}

/**
 * Parses a record with one feature spec, like TensorFlow's `parse_single_example`. Returns the tensor in the notation of the
 * test vectors.
 * @throws {TypeError} if a dense feature has the wrong number of values, or row lengths do not add up to the number of values.
 */
export function parseSingleExample(record: Uint8Array, key: string, spec: FeatureSpec): TensorJson {
  const features = featuresOf(record);
  const { dtype } = spec;
  switch (spec.kind) {
    case "FixedLenFeature": {
      const values =
        features.get(key) ?? (spec.defaultValue === null ? undefined : plainDefault(spec.defaultValue));
      const size = spec.shape.reduce((product, dimension) => product * dimension, 1);
      if (values?.length !== size)
        throw new TypeError(`feature "${key}" must have ${size} values, found ${values?.length ?? 0}`);
      return { kind: "dense", dtype, shape: spec.shape, values };
    }
    case "VarLenFeature": {
      const values = features.get(key) ?? [];
      return {
        kind: "sparse",
        dtype,
        indices: values.map((_value, index) => [index]),
        values,
        dense_shape: [values.length],
      };
    }
    case "SparseFeature": {
      const values = features.get(spec.valueKey) ?? [];
      const indices = values.map((_value, index) =>
        spec.indexKeys.map((indexKey) => Number(features.get(indexKey)?.[index])),
      );
      return { kind: "sparse", dtype, indices, values, dense_shape: spec.size };
    }
    case "RaggedFeature": {
      const values = features.get(spec.valueKey) ?? [];
      if (spec.partitions.length === 0) return { kind: "dense", dtype, shape: [values.length], values };
      return {
        kind: "ragged",
        dtype,
        nested_row_splits: nestedRowSplits(spec, features, values.length),
        flat_values: { shape: [values.length], values },
      };
    }
  }
}
