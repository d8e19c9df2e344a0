import { BytesColumn } from "@tfxio/arrow-encoding";
import type { Prensor, PrensorNode } from "@tfxio/struct2tensor";
import type { DType, HostRagged, HostSparse } from "@tfxio/tensor-adapter";
import { dtypeOf, type NodeJson, type SparseJson } from "./node-json.js";
import { valueNotation } from "./notation.js";

/** Returns a node in the notation of the test vectors. Includes an optional member only if `wanted` has it. */
export function nodeNotation(node: PrensorNode, wanted: NodeJson): NodeJson {
  if (node.kind === "root") return { node: "root", size: node.size };
  const common = {
    parentIndex: [...node.parentIndex],
    ...(wanted.repeated !== undefined && { repeated: node.isRepeated }),
  };
  if (node.kind === "child") return { node: "child", ...common };
  const isSame = wanted.dtype !== undefined && dtypeOf(wanted.dtype) === node.dtype;
  return {
    node: "leaf",
    ...common,
    ...(wanted.dtype !== undefined && { dtype: isSame ? wanted.dtype : node.dtype }),
    ...(wanted.values !== undefined && { values: valuesNotation(node.dtype, node.values) }),
  };
}

/** Returns all nodes of a prensor in the notation of the test vectors, by path. */
export function prensorNotation(prensor: Prensor, wanted: Readonly<Record<string, NodeJson>>): object {
  return Object.fromEntries(
    [...prensor.entries()].map(([path, { node }]) => [
      `${path}`,
      nodeNotation(node, wanted[`${path}`] ?? { node: "leaf" }),
    ]),
  );
}

function valuesNotation(dtype: DType, values: HostRagged["values"]): unknown[] {
  if (values instanceof BytesColumn) return values.toArray().map(valueNotation);
  return Array.from(values as ArrayLike<number | bigint>, (value) =>
    dtype === "bool" ? value === 1 : valueNotation(value),
  );
}

/** Returns ragged rows as nested lists. */
export function raggedNotation({ dtype, values, nestedRowSplits }: HostRagged): unknown {
  return nestedRowSplits.reduceRight<unknown[]>(
    (items, splits) =>
      Array.from({ length: splits.length - 1 }, (_, row) => items.slice(splits[row], splits[row + 1])),
    valuesNotation(dtype, values),
  );
}

/**
 * Returns a sparse tensor in the notation of the test vectors. If `wanted` has the same dtype under another name, such as `float`
 * for `float32`, the result has that name.
 */
export function sparseNotation(
  { dtype, values, indices, denseShape }: HostSparse,
  wanted: SparseJson,
): SparseJson {
  const rank = denseShape.length;
  return {
    indices: Array.from({ length: indices.length / rank }, (_, index) =>
      Array.from(indices.subarray(index * rank, (index + 1) * rank)),
    ),
    values: valuesNotation(dtype, values),
    denseShape,
    dtype: dtypeOf(wanted.dtype) === dtype ? wanted.dtype : dtype,
  };
}
