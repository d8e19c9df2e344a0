import {
  fieldElements,
  fieldIndex,
  isListType,
  listElements,
  type ColumnElements,
} from "@tfxio/arrow-encoding";
import { DataType, type RecordBatch, type Schema as ArrowSchema } from "apache-arrow";
import { columnType } from "./column-type.js";
import { columnRows, noHandler } from "./tensor-handler.js";

/** The type at the end of a path through structs and lists. */
export interface PathType {
  /** Type of the leaf, below all lists. */
  readonly leaf: DataType;
  /** Number of list levels on the whole path. */
  readonly numLists: number;
  /** Number of list levels in the field or column that the last step names. */
  readonly numListsOfLastStep: number;
}

/**
 * Follows `steps` through the schema, descending into lists. The first step names a top-level column, and every later step a
 * field of a struct.
 * @throws {ConversionError} `not-convertible` (`no-handler`) if the steps are empty or name a missing column or field.
 */
export function pathType(schema: ArrowSchema, steps: readonly string[]): PathType {
  const path = steps.join(".");
  const [column, ...fields] = steps;
  if (column === undefined) throw noHandler("The feature path of a ragged tensor is empty.");
  let numListsOfLastStep = 0;
  let numLists = 0;
  const goIntoLists = (type: DataType): DataType => {
    numListsOfLastStep = 0;
    let inner = type;
    for (; isListType(inner); inner = inner.valueType as DataType) numListsOfLastStep++;
    numLists += numListsOfLastStep;
    return inner;
  };
  let leaf = goIntoLists(columnType(schema, column));
  for (const name of fields) {
    const field = DataType.isStruct(leaf) ? leaf.children[fieldIndex(leaf.children, name)] : undefined;
    if (field === undefined) throw noHandler(`Path "${path}": ${leaf} has no field "${name}".`, path);
    leaf = goIntoLists(field.type as DataType);
  }
  return { leaf, numLists, numListsOfLastStep };
}

/** Values at the end of a path in a batch. */
export interface PathElements {
  readonly leaf: ColumnElements;
  /** Row splits of each level of lists on the path, outermost first. */
  readonly nestedRowSplits: readonly Int32Array[];
  /** True when at least one of the row splits is a view of the batch. */
  readonly borrowed: boolean;
}

/** Follows `steps` through a batch. {@link pathType} must have accepted them for the batch's schema. */
export function pathElements(batch: RecordBatch, steps: readonly string[]): PathElements {
  const nestedRowSplits: Int32Array[] = [];
  let anyBorrowed = false;
  const goIntoLists = (elements: ColumnElements): ColumnElements => {
    let inner = elements;
    while (isListType(inner.data.type)) {
      const list = listElements(inner);
      nestedRowSplits.push(list.rowSplits);
      anyBorrowed ||= list.borrowed;
      inner = list.elements;
    }
    return inner;
  };
  const [column, ...fields] = steps;
  let leaf = goIntoLists(columnRows(batch, column as string));
  for (const name of fields) leaf = goIntoLists(fieldElements(leaf, name));
  return { leaf, nestedRowSplits, borrowed: anyBorrowed };
}
