import { ColumnPath } from "@tfxio/schema";
import { type Data, DataType, type RecordBatch, Vector } from "apache-arrow";
import type { NodeJson } from "./message-case.js";
import { valueNotation } from "./notation.js";

/** A column of a batch as an expression's node: the parent of each value, and the values. */
export function nodeOf(batch: RecordBatch, text: string, wanted: NodeJson): NodeJson {
  const path = ColumnPath.parse(text);
  if (path.length === 0) return { node: "root", size: batch.numRows };
  let parents: Data = batch.data;
  let parentIndex: readonly number[] = [];
  for (const step of path.steps) {
    const list = childOf(parents, step);
    parentIndex = parentsOf(list);
    const [items] = list.children;
    if (items === undefined) throw new Error(`${text}: ${step} is no list`);
    parents = items;
  }
  const { repeated } = wanted as { readonly repeated?: boolean };
  if (DataType.isStruct(parents.type)) {
    return { node: "child", ...(repeated !== undefined && { repeated }), parentIndex };
  }
  const values = Array.from(new Vector([parents]), valueNotation);
  const dtype = wanted.dtype ?? "";
  return {
    node: "leaf",
    ...(repeated !== undefined && { repeated }),
    parentIndex,
    dtype: dtypeOf(parents.type, dtype),
    values: dtype === "bool" ? values.map((value) => value === 1) : values,
  };
}

function childOf(parents: Data, step: string): Data {
  const index = parents.type.children.findIndex((field: { readonly name: string }) => field.name === step);
  const child = parents.children[index];
  if (child === undefined) throw new Error(`no column ${step}`);
  return child;
}

function parentsOf({ valueOffsets, length }: Data): readonly number[] {
  return Array.from({ length }, (_, list) =>
    Array.from({ length: Number(valueOffsets[list + 1]) - Number(valueOffsets[list]) }, () => list),
  ).flat();
}

/** A batch has bools as bytes, and bytes for text. */
function dtypeOf(type: DataType, wanted: string): string {
  if (DataType.isBinary(type) || DataType.isLargeBinary(type)) return "string";
  const name = String(type).toLowerCase();
  return name === "uint8" && wanted === "bool" ? "bool" : name;
}
