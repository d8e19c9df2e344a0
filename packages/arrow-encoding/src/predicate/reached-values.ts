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

/** One list level on a path. */
export interface ListLevel {
  /** int32, length `numLists + 1`. Positions in the lists or values of the next level. */
  readonly rowSplits: Int32Array;
  /** One byte per list: 1 if the list, or a struct that encloses it, is null. Undefined if no list is null. */
  readonly isNull: Uint8Array | undefined;
}

/** The values of a batch's rows at a path. */
export interface ReachedValues {
  /** List levels on the path, outermost first. Empty for a flat column. */
  readonly levels: readonly ListLevel[];
  /** The values of all rows, concatenated. */
  readonly values: ColumnElements;
  /** One byte per value, 1 for null. Undefined if there are no nulls. A value is also null if its dictionary entry is null. */
  readonly isNull: Uint8Array | undefined;
  /**
   * The field that the last step of the path names, then the item fields of its lists, outermost first. The metadata of these
   * fields may describe the values. Empty if the column or the struct field is missing.
   */
  readonly owners: readonly Field[];
}

/** Treatment of a missing column or struct field. */
export type AbsentColumn = "error" | "null";

/**
 * Returns the values at a path, through all lists, structs and maps. A map is a list of structs with `key` and `value`. Borrows
 * the batch's values. Copies row splits only where needed. Everything below a Null column is null.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`) if a column or field is missing, unless `absent` is `"null"`.
 */
export function reachValues(
  batch: RecordBatch,
  path: ColumnPath,
  absent: AbsentColumn = "error",
): ReachedValues {
  const [name, ...steps] = path.steps;
  const index = name === undefined ? -1 : fieldIndex(batch.schema.fields, name);
  const column = batch.data.children[index];
  let field = batch.schema.fields[index];
  const levels: ListLevel[] = [];
  if (column === undefined || field === undefined) {
    if (absent === "null") return nullValues(batch.numRows, levels);
    throw unknownColumn(path, `the batch has ${batch.schema.names.join(", ") || "no columns"}`);
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
      throw unknownColumn(path, `${type} has no field "${step}"`);
    }
    elements = fieldElements(elements, step);
    owners = [field];
  }
  return { levels, values: elements, isNull: nullsOf(elements), owners };
}

/** Descends through lists and maps until the elements are neither. Adds each level to `levels`. */
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

/** Returns null for every element, in place of a missing column or field. */
function nullValues(length: number, levels: readonly ListLevel[]): ReachedValues {
  const values = columnElements(makeData({ type: new Null(), length }) as Data);
  return { levels, values, isNull: nullsOf(values), owners: [] };
}

/** Returns the null mask of the elements. Handles columns of type Null, which may lack a bitmap. */
function nullsOf(elements: ColumnElements): Uint8Array | undefined {
  return DataType.isNull(elements.data.type) ? new Uint8Array(elements.length).fill(1) : nullMask(elements);
}

function unknownColumn(path: ColumnPath, finding: string): SchemaError {
  return new SchemaError("schema-mismatch", `Unknown column "${path.toString()}": ${finding}.`, {
    reason: "unknown-column",
    columnPath: path.toString(),
  });
}
