import { BytesColumn } from "@tfxio/arrow-encoding";
import { type DType, type NumberDType, numberArrays } from "@tfxio/tensor-adapter";
import { type LeafNode, type PrensorNode, prensorOf, type Prensor } from "@tfxio/struct2tensor";

// Nested data in a naive form: objects in lists.

/** A value, or a message with the elements of each of its fields. */
export interface Element {
  readonly value?: number | bigint | boolean | string;
  readonly fields: Map<string, Element[]>;
  /** In a row of a rerooted batch, the index of the original row that contained this one. */
  record?: number;
}

/** The type of a field, and the fields below it. */
export interface Shape {
  readonly isRepeated: boolean;
  /** Absent for messages. */
  readonly dtype?: DType | undefined;
  readonly fields: Map<string, Shape>;
}

/** A batch of rows, and their shape. */
export interface Batch {
  readonly rows: Element[];
  readonly shape: Shape;
}

export function cloneElement({ value, fields, record }: Element): Element {
  return {
    ...(value !== undefined && { value }),
    ...(record !== undefined && { record }),
    fields: new Map([...fields].map(([name, elements]) => [name, elements.map(cloneElement)])),
  };
}

export function cloneShape({ isRepeated, dtype, fields }: Shape): Shape {
  return {
    isRepeated,
    dtype,
    fields: new Map([...fields].map(([name, shape]) => [name, cloneShape(shape)])),
  };
}

/** The root or a field of a batch, in the columnar form of a prensor node. */
export interface FlatNode {
  readonly isRepeated?: boolean;
  readonly dtype?: DType | undefined;
  readonly size?: number;
  readonly parentIndex?: readonly number[];
  readonly values?: readonly unknown[];
}

/** Returns the root and every field as flat nodes, keyed by path. */
export function flatten({ rows, shape }: Batch): Record<string, FlatNode> {
  const found: Record<string, FlatNode> = { "": { size: rows.length } };
  flattenBelow(rows, shape, "", found);
  return found;
}

function flattenBelow(
  parents: readonly Element[],
  { fields }: Shape,
  at: string,
  found: Record<string, FlatNode>,
): void {
  for (const [name, shape] of fields) {
    const path = at === "" ? name : `${at}.${name}`;
    const parentIndex: number[] = [];
    const elements: Element[] = [];
    for (const [index, parent] of parents.entries()) {
      for (const element of parent.fields.get(name) ?? []) {
        parentIndex.push(index);
        elements.push(element);
      }
    }
    const { isRepeated, dtype } = shape;
    const values = dtype === undefined ? {} : { values: elements.map(({ value }) => value) };
    found[path] = { isRepeated, dtype, parentIndex, ...values };
    flattenBelow(elements, shape, path, found);
  }
}

/** Returns the row splits of every field, computed from its parent indices. */
export function countRows(nodes: Record<string, FlatNode>): Record<string, readonly number[]> {
  const counted: Record<string, readonly number[]> = {};
  for (const [path, { parentIndex }] of Object.entries(nodes)) {
    if (parentIndex === undefined) continue;
    const parent = nodes[path.slice(0, Math.max(path.lastIndexOf("."), 0))]!;
    const numParents = parent.size ?? parent.parentIndex!.length;
    const splits = Array.from(
      { length: numParents + 1 },
      (_, row) => parentIndex.filter((index) => index < row).length,
    );
    counted[path] = splits;
  }
  return counted;
}

/**
 * Returns the row splits of every field of a prensor. They come from a ragged view if the field is a leaf or contains one, and
 * otherwise from the parent indices.
 */
export function rowsOf(prensor: Prensor): Record<string, readonly number[]> {
  const found: Record<string, readonly number[]> = countRows(flattenPrensor(prensor));
  for (const path of prensor.leafPaths()) {
    for (const [level, splits] of prensor.ragged(path).nestedRowSplits.entries()) {
      found[path.prefix(level + 1).toString()] = [...splits];
    }
  }
  return found;
}

/** Converts a prensor to flat nodes, keyed by path. */
export function flattenPrensor(prensor: Prensor): Record<string, FlatNode> {
  return Object.fromEntries(
    [...prensor.entries()].map(([path, { node }]) => [path.toString(), flatNode(node)]),
  );
}

function flatNode(node: PrensorNode): FlatNode {
  if (node.kind === "root") return { size: node.size };
  const common = { isRepeated: node.isRepeated, parentIndex: [...node.parentIndex] };
  if (node.kind === "child") return { ...common, dtype: undefined };
  return { ...common, dtype: node.dtype, values: plainValues(node) };
}

function plainValues({ dtype, values }: LeafNode): unknown[] {
  if (values instanceof BytesColumn)
    return values.toArray().map((value) => Buffer.from(value).toString("latin1"));
  return Array.from(values as ArrayLike<number | bigint>, (value) =>
    dtype === "bool" ? value === 1 : value,
  );
}

/** Converts a batch to a prensor. */
export function toPrensor(batch: Batch): Prensor {
  return prensorOf(
    Object.fromEntries(Object.entries(flatten(batch)).map(([path, node]) => [path, prensorNode(node)])),
  );
}

function prensorNode({
  size = 0,
  isRepeated = false,
  parentIndex,
  dtype,
  values = [],
}: FlatNode): PrensorNode {
  if (parentIndex === undefined) return { kind: "root", size };
  const common = { isRepeated, parentIndex: Int32Array.from(parentIndex) };
  if (dtype === undefined) return { kind: "child", ...common };
  return { kind: "leaf", ...common, dtype, values: arrayOf(dtype, values) };
}

export function arrayOf(dtype: DType, values: readonly unknown[]): LeafNode["values"] {
  if (dtype === "string")
    return BytesColumn.from(values.map((value) => Buffer.from(value as string, "latin1")));
  const array = new numberArrays[dtype as NumberDType](values.length) as unknown as unknown[];
  values.forEach((value, index) => {
    array[index] = dtype === "bool" ? Number(value) : value;
  });
  return array as unknown as LeafNode["values"];
}
