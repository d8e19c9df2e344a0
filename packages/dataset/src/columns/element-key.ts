import { type HostColumn, type HostValues, RaggedTensor, SparseTensor } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import { isBytesColumn } from "./host-array.js";
import { hostOfLeaf, placeOfLeaf } from "./host-leaf.js";
import { componentPath, componentsOf, isTensor, isTuple } from "./structure.js";

/**
 * Returns a text key. Two elements have the same key if and only if their structures, dtypes, shapes and values are equal.
 * Numbers are compared as float32, as in batches, so 2^24 equals 2^24 + 1. NaN equals NaN, and 0 equals -0. Text equals its UTF-8
 * bytes. The order of keys in a dict does not matter.
 * @param elementIndex Index of the element, for error messages.
 * @param path Component path of `element`, or `""` for a whole element.
 * @throws {ArgumentError} `invalid-argument` for tensors, whose values are not on the host, and for other values that cannot be
 *   compared, such as datasets. Also throws the errors of {@link hostOfLeaf}.
 */
export function elementKey(element: unknown, elementIndex: number, path = ""): string {
  const components = componentsOf(element);
  if (components !== undefined) {
    const parts = components.map(
      ([key, component]) =>
        `${JSON.stringify(key)}:${elementKey(component, elementIndex, componentPath(path, key))}`,
    );
    return isTuple(element) ? `(${parts.join()})` : `{${parts.toSorted().join()}}`;
  }
  if (element === null || element === undefined) return String(element);
  const place = (): string => placeOfLeaf("unique", path, elementIndex);
  const host = isOnDevice(element) ? undefined : hostOfLeaf(element, place);
  if (host === undefined) {
    throw new ArgumentError(
      "invalid-argument",
      `${place()} must not be a tensor, a dataset or another value that cannot be compared. Call unique before withTensors.`,
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
