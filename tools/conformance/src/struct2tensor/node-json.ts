import type { DType } from "@tfxio/tensor-adapter";

/** A node of a prensor, as vectors write it. */
export interface NodeJson {
  readonly node: "root" | "child" | "leaf";
  readonly size?: number;
  readonly parentIndex?: readonly number[];
  readonly repeated?: boolean;
  readonly dtype?: string;
  readonly values?: readonly unknown[];
}

/** A sparse tensor, as vectors write it. */
export interface SparseJson {
  readonly indices: readonly (readonly number[])[];
  readonly values: readonly unknown[];
  readonly denseShape: readonly number[];
  readonly dtype: string;
}

/** Our dtype for a vector's type name. */
export function dtypeOf(name: string): DType {
  const others: Readonly<Record<string, DType>> = { bytes: "string", float: "float32", double: "float64" };
  return others[name] ?? (name as DType);
}
