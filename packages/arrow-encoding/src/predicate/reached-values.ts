import type { ColumnPath } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import { type Data, DataType, type Field, makeData, Null, type RecordBatch } from "apache-arrow";
import {
  type ColumnElements,
  columnElements,
  fieldElements,
  listElements,
  nullMask,
} from "../column/column-access.js";
import { fieldIndex } from "../column/field-index.js";
import { isListType } from "../column/list-column.js";
import { mapAsList, mapAsListType } from "../list-form/map-as-list.js";

/** Lists that a path leads through. */
export interface ListLevel {
  /** int32, one more than there are lists: positions among the lists, or values, of the next level. */
  readonly rowSplits: Int32Array;
  /** 1 where a list is null, or a struct around it; undefined when none is. */
  readonly isNull: Uint8Array | undefined;
}

/** What the rows of a batch have at a path. */
export interface ReachedValues {
  /** Lists on the way, outermost first; none for a flat column. */
  readonly levels: readonly ListLevel[];
  /** The values of all rows, one after the other. */
  readonly values: ColumnElements;
  /** 1 where `values` has a null; undefined when it has none. Nulls of a dictionary are not marked. */
  readonly isNull: Uint8Array | undefined;
  /** Fields around the values, outermost first; their metadata may tell what the values mean. */
  readonly owners: readonly Field[];
}

/** What a column, or a field of a struct, means that a batch lacks. */
export type AbsentColumn = "error" | "null";

/**
 * The values at a path, through all lists, structs and maps (structs of `key` and `value`). Borrows the batch unless
 * values hide under nulls. Below a Null column everything is null.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`) when there is no such column or field, unless that means null.
 */
export function reachValues(
  batch: RecordBatch,
  path: ColumnPath,
  absent: AbsentColumn = "error",
): ReachedValues {
  const [name, ...steps] = path.steps;
  const index = fieldIndex(batch.schema.fields, name ?? "");
  const column = batch.data.children[index];
  let field = batch.schema.fields[index];
  const levels: ListLevel[] = [];
  if (column === undefined || field === undefined) {
    if (absent === "null") return nullValues(batch.numRows, levels);
    throw unknownColumn(path, `the batch has ${batch.schema.names.join(", ") || "no column"}`);
  }
  let owners: readonly Field[] = [field];
  let elements = columnElements(column);
  for (const step of [...steps, undefined]) {
    ({ elements, owners } = throughLists(elements, owners, levels));
    const { type } = elements.data;
    if (step === undefined || DataType.isNull(type)) break;
    field = DataType.isStruct(type) ? type.children[fieldIndex(type.children, step)] : undefined;
    if (field === undefined) {
      if (absent === "null") return nullValues(elements.length, levels);
      throw unknownColumn(path, `there is no field "${step}" in ${type}`);
    }
    elements = fieldElements(elements, step);
    owners = [field];
  }
  return { levels, values: elements, isNull: nullsOf(elements), owners };
}

function throughLists(
  start: ColumnElements,
  startOwners: readonly Field[],
  levels: ListLevel[],
): { elements: ColumnElements; owners: readonly Field[] } {
  let elements = start;
  const owners = [...startOwners];
  for (;;) {
    const { type } = elements.data;
    const isMap = DataType.isMap(type);
    if (!isMap && !isListType(type)) return { elements, owners };
    const isNull = nullMask(elements);
    const lists = isMap ? { ...elements, data: mapAsList(elements.data) } : elements;
    const { rowSplits, elements: inner } = listElements(lists);
    levels.push({ rowSplits, isNull });
    owners.push((isMap ? mapAsListType(type) : type).children[0] as Field);
    elements = inner;
  }
}

function nullValues(length: number, levels: readonly ListLevel[]): ReachedValues {
  const values = columnElements(makeData({ type: new Null(), length }) as Data);
  return { levels, values, isNull: nullsOf(values), owners: [] };
}

/** A column of type Null may come without a bitmap. */
function nullsOf(elements: ColumnElements): Uint8Array | undefined {
  return DataType.isNull(elements.data.type) ? new Uint8Array(elements.length).fill(1) : nullMask(elements);
}

function unknownColumn(path: ColumnPath, finding: string): SchemaError {
  return new SchemaError("schema-mismatch", `There is no column "${path.toString()}": ${finding}.`, {
    reason: "unknown-column",
    columnPath: path.toString(),
  });
}
