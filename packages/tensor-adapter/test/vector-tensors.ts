import {
  BytesColumn,
  type DType,
  type HostColumn,
  type HostValues,
  RaggedTensorSpec,
  SparseTensorSpec,
  TensorSpec,
  type TypeSpec,
} from "../src/index.js";
import { arrowData, bytesOf } from "./arrow-values.js";

/** A type spec in the notation of the conformance vectors. */
export interface SpecJson {
  readonly kind: "tensor" | "sparse" | "ragged";
  readonly dtype: DType;
  readonly shape: readonly (number | null)[];
  readonly ragged_rank?: number;
  readonly row_splits_dtype?: "int32" | "int64";
}

/** A tensor in the notation of the conformance vectors. */
export interface TensorJson {
  readonly kind: "dense" | "sparse" | "ragged";
  readonly dtype: DType;
  readonly shape?: readonly number[];
  readonly values?: readonly unknown[];
  readonly indices?: readonly (readonly number[])[];
  readonly dense_shape?: readonly number[];
  readonly row_splits_dtype?: "int32" | "int64";
  readonly nested_row_splits?: readonly (readonly number[])[];
  readonly flat_values?: { readonly shape: readonly number[]; readonly values: readonly unknown[] };
}

export function specOfJson(json: SpecJson): TypeSpec {
  const { kind, dtype, shape, ragged_rank = 1, row_splits_dtype = "int64" } = json;
  if (kind === "tensor") return new TensorSpec(shape, dtype);
  if (kind === "sparse") return new SparseTensorSpec(shape, dtype);
  return new RaggedTensorSpec(shape, dtype, ragged_rank, row_splits_dtype);
}

export function specJson(spec: TypeSpec): SpecJson {
  const { kind, dtype } = spec;
  const shape = spec.shape ?? [];
  if (spec.kind !== "ragged") return { kind, dtype, shape };
  return { kind, dtype, shape, ragged_rank: spec.raggedRank, row_splits_dtype: spec.rowSplitsDtype };
}

export function columnOfJson(json: TensorJson): HostColumn {
  const { kind, dtype } = json;
  const borrowed = false;
  switch (kind) {
    case "dense":
      return { kind, dtype, shape: json.shape ?? [], values: valuesOf(dtype, json.values), borrowed };
    case "sparse": {
      const indices = Int32Array.from((json.indices ?? []).flat());
      const values = valuesOf(dtype, json.values);
      return { kind, dtype, indices, values, denseShape: json.dense_shape ?? [], borrowed };
    }
    case "ragged":
      return {
        kind,
        dtype,
        values: valuesOf(dtype, json.flat_values?.values),
        nestedRowSplits: (json.nested_row_splits ?? []).map((splits) => Int32Array.from(splits)),
        innerShape: json.flat_values?.shape.slice(1) ?? [],
        rowSplitsDtype: json.row_splits_dtype ?? "int64",
        borrowed,
      };
  }
}

function valuesOf(dtype: DType, values: readonly unknown[] = []): HostValues {
  if (dtype === "string") return BytesColumn.from(values.map(bytesOf));
  return arrowData(dtype, values).values as HostValues;
}

export function columnJson(column: HostColumn): TensorJson {
  const { kind, dtype } = column;
  const values = valuesJson(column.values);
  switch (column.kind) {
    case "dense":
      return { kind, dtype, shape: column.shape, values };
    case "sparse": {
      const rank = column.denseShape.length;
      const indices = Array.from({ length: column.indices.length / rank }, (_, index) =>
        Array.from(column.indices.subarray(index * rank, (index + 1) * rank)),
      );
      return { kind, dtype, indices, values, dense_shape: column.denseShape };
    }
    case "ragged": {
      const { nestedRowSplits, innerShape, rowSplitsDtype } = column;
      const inner = innerShape.reduce((product, size) => product * size, 1);
      return {
        kind,
        dtype,
        row_splits_dtype: rowSplitsDtype,
        nested_row_splits: nestedRowSplits.map((splits) => Array.from(splits)),
        flat_values: { shape: [values.length / inner, ...innerShape], values },
      };
    }
  }
}

function valuesJson(values: HostValues): unknown[] {
  if (values instanceof BytesColumn) {
    return values.toArray().map((bytes) => ({ b64: Buffer.from(bytes).toString("base64") }));
  }
  return Array.from<number | bigint, unknown>(values, (value) =>
    typeof value === "bigint" ? String(value) : value,
  );
}
