import {
  BytesColumn,
  type DType,
  type HostColumn,
  type HostValues,
  RaggedTensorSpec,
  SparseTensorSpec,
  TensorSpec,
  type TypeSpec,
} from "@tfxio/tensor-adapter";
import { buildData } from "./arrow-array.js";
import { numberOfHalf } from "./float16.js";
import { bytesJson, bytesOf, canonicalScalar } from "./scalar.js";

/** A tensor in the notation of the test vectors. `flat_values` has the values of the innermost rows, concatenated. */
export type TensorJson =
  | {
      readonly kind: "dense";
      readonly dtype: string;
      readonly shape: readonly number[];
      readonly values: readonly unknown[];
    }
  | {
      readonly kind: "sparse";
      readonly dtype: string;
      readonly indices: readonly (readonly number[])[];
      readonly values: readonly unknown[];
      readonly dense_shape: readonly number[];
    }
  | {
      readonly kind: "ragged";
      readonly dtype: string;
      readonly row_splits_dtype?: "int32" | "int64";
      readonly nested_row_splits: readonly (readonly number[])[];
      readonly flat_values: { readonly shape: readonly number[]; readonly values: readonly unknown[] };
    };

function elements(dtype: string, values: readonly unknown[]): unknown[] {
  return values.map((value) =>
    dtype === "string" ? bytesJson(bytesOf(value)) : canonicalScalar(dtype, value),
  );
}

/** Converts an expected tensor to the notation of {@link plainTensor}. */
export function canonicalTensor(json: TensorJson): TensorJson {
  if (json.kind !== "ragged") return { ...json, values: elements(json.dtype, json.values) };
  const { shape, values } = json.flat_values;
  return { ...json, flat_values: { shape, values: elements(json.dtype, values) } };
}

function hostValues(dtype: string, values: readonly unknown[]): HostValues {
  return dtype === "string"
    ? BytesColumn.from(values.map(bytesOf))
    : (buildData(dtype, values).values as HostValues);
}

/** Builds the host column of a test vector's tensor. The column owns its memory. */
export function hostColumnOf(json: TensorJson): HostColumn {
  const dtype = json.dtype as DType;
  const borrowed = false;
  switch (json.kind) {
    case "dense":
      return { kind: "dense", dtype, shape: json.shape, values: hostValues(dtype, json.values), borrowed };
    case "sparse": {
      const indices = Int32Array.from(json.indices.flat());
      const values = hostValues(dtype, json.values);
      return { kind: "sparse", dtype, indices, values, denseShape: json.dense_shape, borrowed };
    }
    case "ragged":
      return {
        kind: "ragged",
        dtype,
        values: hostValues(dtype, json.flat_values.values),
        nestedRowSplits: json.nested_row_splits.map((splits) => Int32Array.from(splits)),
        innerShape: json.flat_values.shape.slice(1),
        rowSplitsDtype: json.row_splits_dtype ?? "int64",
        borrowed,
      };
  }
}

function isBytesColumn(values: HostValues): values is BytesColumn {
  return !ArrayBuffer.isView(values);
}

function plainElements(dtype: DType, values: HostValues): unknown[] {
  if (isBytesColumn(values))
    return Array.from({ length: values.length }, (_unused, i) => bytesJson(values.get(i)));
  if (dtype === "float16") return Array.from(values as Uint16Array, numberOfHalf);
  return Array.from(values as ArrayLike<number | bigint>, (v) => (typeof v === "bigint" ? String(v) : v));
}

/** Splits flat indices into `count` rows of `width` numbers. */
function rowsOf(flat: Int32Array, width: number, count: number): number[][] {
  return Array.from({ length: count }, (_unused, row) => [...flat.subarray(row * width, (row + 1) * width)]);
}

/** Converts an actual host column to the notation of the test vectors. */
export function plainTensor(column: HostColumn): TensorJson {
  const { dtype } = column;
  const values = plainElements(dtype, column.values);
  switch (column.kind) {
    case "dense":
      return { kind: "dense", dtype, shape: [...column.shape], values };
    case "sparse":
      return {
        kind: "sparse",
        dtype,
        indices: rowsOf(column.indices, column.denseShape.length, values.length),
        values,
        dense_shape: [...column.denseShape],
      };
    case "ragged": {
      const rows = column.nestedRowSplits.at(-1)?.at(-1) ?? 0;
      return {
        kind: "ragged",
        dtype,
        row_splits_dtype: column.rowSplitsDtype,
        nested_row_splits: column.nestedRowSplits.map((splits) => [...splits]),
        flat_values: { shape: [rows, ...column.innerShape], values },
      };
    }
  }
}

/** A type spec in the notation of the test vectors. A null dimension may have any size. `shape` includes the batch dimension. */
export interface TypeSpecJson {
  readonly kind: "tensor" | "sparse" | "ragged";
  readonly dtype: DType;
  readonly shape: readonly (number | null)[];
  readonly ragged_rank?: number;
  readonly row_splits_dtype?: "int32" | "int64";
}

function typeSpecOf({
  kind,
  dtype,
  shape,
  ragged_rank = 1,
  row_splits_dtype = "int64",
}: TypeSpecJson): TypeSpec {
  if (kind === "tensor") return new TensorSpec(shape, dtype);
  if (kind === "sparse") return new SparseTensorSpec(shape, dtype);
  return new RaggedTensorSpec(shape, dtype, ragged_rank, row_splits_dtype);
}

/** Creates type specs by tensor name. Returns undefined if the test vector has no type specs. */
export function typeSpecsOf(json: unknown): Map<string, TypeSpec> | undefined {
  if (json === undefined) return undefined;
  const specs = Object.entries(json as Readonly<Record<string, TypeSpecJson>>);
  return new Map(specs.map(([name, spec]) => [name, typeSpecOf(spec)]));
}

/** Converts an actual type spec to the notation of the test vectors. */
export function plainTypeSpec(spec: TypeSpec): TypeSpecJson {
  const { kind, dtype } = spec;
  const shape = [...(spec.shape ?? [])];
  return spec.kind === "ragged"
    ? { kind, dtype, shape, ragged_rank: spec.raggedRank, row_splits_dtype: spec.rowSplitsDtype }
    : { kind, dtype, shape };
}
