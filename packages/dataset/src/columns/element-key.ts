import { type HostColumn, type HostValues, RaggedTensor, SparseTensor } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import { isBytesColumn } from "./host-array.js";
import { hostOfLeaf } from "./host-leaf.js";
import { componentsOf, isTensor, isTuple } from "./structure.js";

/**
 * A text key that is the same exactly for equal elements: same structure, dtypes, shapes and values. NaN equals NaN,
 * and 0 equals -0. Text equals its UTF-8 bytes.
 * @throws {ArgumentError} `invalid-argument` for tensors, whose values are not on the host, and for nested datasets.
 */
export function elementKey(element: unknown): string {
  const components = componentsOf(element);
  if (components !== undefined) {
    const parts = components.map(([key, component]) => `${JSON.stringify(key)}:${elementKey(component)}`);
    return isTuple(element) ? `(${parts.join()})` : `{${parts.toSorted().join()}}`;
  }
  if (element === null || element === undefined) return String(element);
  const host = isOnDevice(element) ? undefined : hostOfLeaf(element);
  if (host === undefined) {
    throw new ArgumentError(
      "invalid-argument",
      "unique: elements hold tensors, datasets or other values that cannot be compared; call it before withTensors",
    );
  }
  return columnKey(host);
}

function isOnDevice(value: unknown): boolean {
  return isTensor(value) || value instanceof SparseTensor || value instanceof RaggedTensor;
}

function columnKey(column: HostColumn): string {
  const { kind, dtype } = column;
  const values = valuesKey(column.values);
  switch (column.kind) {
    case "dense":
      return `${dtype}[${column.shape.join()}]=${values}`;
    case "sparse":
      return `${kind} ${dtype}[${column.denseShape.join()}]@${column.indices.join()}=${values}`;
    case "ragged":
      return `${kind} ${dtype}[${column.innerShape.join()}]@${column.nestedRowSplits.join("/")}=${values}`;
  }
}

function valuesKey(values: HostValues): string {
  if (!isBytesColumn(values)) return Array.from<number | bigint>(values).join();
  return values
    .toArray()
    .map((bytes) => `${bytes.length}:${Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")}`)
    .join();
}
