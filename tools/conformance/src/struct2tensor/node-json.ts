import type { DType } from "@tfxio/tensor-adapter";

/** A node of a prensor in the notation of the test vectors. A root has `size`, and a leaf has `dtype` and `values`. */
export interface NodeJson {
  readonly node: "root" | "child" | "leaf";
  readonly size?: number;
  readonly parentIndex?: readonly number[];
  readonly repeated?: boolean;
  readonly dtype?: string;
  readonly values?: readonly unknown[];
}

/** A sparse tensor in the notation of the test vectors. Each index has one number per dimension. */
export interface SparseJson {
  readonly indices: readonly (readonly number[])[];
  readonly values: readonly unknown[];
  readonly denseShape: readonly number[];
  readonly dtype: string;
}

/** Returns our dtype for the name of a type in test vectors. */
export function dtypeOf(name: string): DType {
  const others: Readonly<Record<string, DType>> = { bytes: "string", float: "float32", double: "float64" };
  return others[name] ?? (name as DType);
}
