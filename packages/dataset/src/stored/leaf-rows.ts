import { type HostColumn, type HostDense, type HostSparse, numRowsOf } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { type BatchRows, convertBatch, joinBatchRows } from "../blocks/batch-rows.js";
import { type Block, isBatchRows, isColumnRows, itemsOf, joinColumns } from "../blocks/block.js";
import type { ColumnBlock } from "../blocks/column-block.js";
import { columnOfOne, gatherColumns, hasLayoutOf, layoutOf } from "../columns/column-rows.js";
import { describeLeaf, hostOfLeaf, withCommonDType } from "../columns/host-leaf.js";
import { wholeSources } from "../columns/row-ranges.js";
import { componentPath, componentsOf, describeStructure, isTuple, tensorsOf } from "../columns/structure.js";
import { isLeafBlock } from "../blocks/column-block.js";
import type { LeafRows } from "./encode-elements.js";
import { isRows } from "./encode-elements.js";
import {
  numColumnsOf,
  type StoredLeaf,
  storedLeafOf,
  type StoredStructure,
  structureOf,
} from "./stored-structure.js";

/** Rows in stored form: the structure of an element, and the rows of each leaf in the order of the structure. */
export interface StoredRows {
  readonly numRows: number;
  readonly structure: StoredStructure;
  readonly leaves: readonly LeafRows[];
}

/**
 * Converts the rows of several blocks to stored form. No row may be a `Failure`. Plain values become host values as in
 * {@link hostOfLeaf}, whose errors this function throws too.
 * @param elementIndex Index of the first row, for error messages.
 * @throws {ConversionError} `not-convertible` (`stored-value`) for values without a host form, such as tensors, null and
 *   datasets. `shape-mismatch` for elements that differ in structure, dtype or rank.
 */
export function storedRowsOf(parts: readonly Block[], elementIndex: number): StoredRows {
  if (parts.every(isColumnRows)) return rowsOfColumns(joinColumns(parts));
  if (parts.every(isBatchRows)) {
    return rowsOfColumns(convertBatch(joinBatchRows(parts), (parts[0] as BatchRows).batch.conversion));
  }
  return rowsOfItems(parts.flatMap(itemsOf), elementIndex);
}

function rowsOfColumns(block: ColumnBlock): StoredRows {
  const leaves = Object.values(block.columns);
  const like = isLeafBlock(block) ? 0 : Object.fromEntries(Object.keys(block.columns).map((key) => [key, 0]));
  return { numRows: block.numRows, structure: structureFor(like, leaves), leaves };
}

function rowsOfItems(elements: readonly unknown[], elementIndex: number): StoredRows {
  const leaves: LeafRows[] = [];
  const collect = (column: readonly unknown[], path: string): void => {
    const [first] = column;
    const components = componentsOf(first);
    if (components === undefined) {
      leaves.push(rowsOfLeaf(column, path, elementIndex));
      return;
    }
    column.forEach((element, row) => assertAlike(element, first, path, elementIndex + row));
    for (const [key] of components) {
      collect(
        column.map((element) => (element as Readonly<Record<string, unknown>>)[key]),
        componentPath(path, key),
      );
    }
  };
  collect(elements, "");
  return { numRows: elements.length, structure: structureFor(elements[0], leaves), leaves };
}

function rowsOfLeaf(column: readonly unknown[], path: string, elementIndex: number): LeafRows {
  if (column.every((leaf) => typeof leaf === "number")) {
    const values = Float32Array.from(column);
    return { kind: "dense", dtype: "float32", shape: [column.length], values, borrowed: false };
  }
  const hosts = column.map((leaf, row) => {
    const place = (): string => placeOf(path, elementIndex + row);
    const isOnDevice = typeof leaf === "object" && leaf !== null && "dataId" in leaf;
    const host = isOnDevice ? undefined : hostOfLeaf(leaf, place);
    if (host !== undefined) return host;
    const advice = tensorsOf(leaf).length === 0 ? "" : " Store elements before withTensors.";
    throw new ConversionError(
      "not-convertible",
      `${place()} is ${describeLeaf(leaf)}, but must be a scalar, an array of scalars or a host column.${advice}`,
      { tensorName: path, reason: "stored-value" },
    );
  });
  const rows = withCommonDType(column, hosts);
  const columns = rows.map(columnOfOne);
  const first = columns[0] as HostColumn;
  const odd = columns.findIndex((each) => !isStoredAs(each, first));
  if (odd >= 0) {
    const found = layoutOf(columns[odd] as HostColumn);
    const shared = first.kind === "ragged" ? "kind, dtype, inner shape and rank" : "kind, dtype and rank";
    throw new ConversionError(
      "shape-mismatch",
      `${placeOf(path, elementIndex + odd)} is ${found}, but must have the ${shared} of earlier elements: ${layoutOf(first)}.`,
      { tensorName: path },
    );
  }
  if (first.kind === "dense" && !columns.every((each) => hasLayoutOf(each, first)))
    return rows as HostDense[];
  if (first.kind === "sparse") return rows as HostSparse[];
  return gatherColumns(columns, wholeSources(columns.map(numRowsOf)), path);
}

/** Returns true if the rows of both host columns fit into the same file columns. For dense rows, equal dtype and rank suffice. */
function isStoredAs(column: HostColumn, other: HostColumn): boolean {
  if (column.kind !== "dense" || other.kind !== "dense") return hasLayoutOf(column, other);
  return column.dtype === other.dtype && column.shape.length === other.shape.length;
}

function structureFor(element: unknown, leaves: readonly LeafRows[]): StoredStructure {
  let next = 0;
  let column = 0;
  return structureOf(element, (): StoredLeaf => {
    const rows = leaves[next++] as LeafRows;
    const leaf = storedLeafOf(isRows(rows) ? columnOfOne(rows[0] as HostColumn) : rows, column);
    column += numColumnsOf(leaf);
    return leaf;
  });
}

function assertAlike(element: unknown, first: unknown, path: string, elementIndex: number): void {
  const [found, expected] = [element, first].map((each) =>
    componentsOf(each)
      ?.map(([key]) => key)
      .join(", "),
  );
  if (found === expected && isTuple(element) === isTuple(first)) return;
  throw new ConversionError(
    "shape-mismatch",
    `${placeOf(path, elementIndex)} is ${describeStructure(element)}, but must be ${describeStructure(first)} as in earlier elements.`,
    { tensorName: path },
  );
}

function placeOf(path: string, elementIndex: number): string {
  return path === "" ? `Element ${elementIndex}` : `Component "${path}" of element ${elementIndex}`;
}
