import { ColumnPath } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import { type Data, DataType, type Field } from "apache-arrow";
import {
  type ColumnElements,
  columnElements,
  fieldElements,
  listElements,
  nullMask,
} from "../column/column-access.js";
import { flatValues } from "../column/column-access-values.js";
import {
  assertNoNull,
  badValueType,
  composeSplits,
  type FlatFeature,
  kindlessFeature,
  kindOf,
  notAList,
} from "../encode/flat-features.js";
import { isListType } from "../column/list-column.js";
import { assertDistinctFields } from "../table/merge-batches.js";
import type { FlatFeatureList, FlatFeatureLists } from "../encode/write-records.js";

/**
 * Returns the feature lists in the fields of a struct column; undefined for a Null column. A field is a list of steps. Steps are
 * lists of values, or have type Null if no step has values. A row whose struct is null has no feature lists. A field of type
 * Null is omitted in every row.
 * @throws {SchemaError} `schema-mismatch`: `not-a-struct`, `not-a-list`, `value-type`, `duplicate-column`.
 * @throws {ConversionError} `not-convertible` (`cell-value`) for a null in a step.
 */
export function flatFeatureLists(column: string, data: Data): FlatFeatureLists | undefined {
  const { type } = data;
  if (DataType.isNull(type)) return undefined;
  if (!DataType.isStruct(type)) {
    throw new SchemaError(
      "schema-mismatch",
      `Column "${column}" must be a struct of feature lists, found ${type}.`,
      {
        reason: "not-a-struct",
        columnPath: column,
        expected: "a struct of feature lists",
        actual: String(type),
      },
    );
  }
  const fields = type.children as readonly Field[];
  assertDistinctFields(fields);
  const structs = columnElements(data);
  return {
    isNull: nullMask(structs),
    lists: fields
      .filter((field) => !DataType.isNull(field.type))
      .map(({ name }) => flatFeatureList(ColumnPath.of(column, name), name, fieldElements(structs, name))),
  };
}

/** Converts one field of the struct. A field whose steps have type Null becomes steps without a kind. */
function flatFeatureList(path: ColumnPath, name: string, rows: ColumnElements): FlatFeatureList {
  const columnPath = path.toString();
  const { type } = rows.data;
  const stepType = isListType(type) ? (type.valueType as DataType) : type;
  if (!isListType(type) || !(isListType(stepType) || DataType.isNull(stepType))) {
    throw notAList(columnPath, type, "lists of steps, which are lists of values");
  }
  const { rowSplits: stepSplits, elements: steps } = listElements(rows);
  return {
    isNull: nullMask(rows),
    stepSplits,
    steps: isListType(stepType)
      ? stepFeature(columnPath, name, steps, stepSplits)
      : kindlessFeature(name, steps.length),
  };
}

/** Returns a feature that holds the steps of all rows, concatenated. */
function stepFeature(
  columnPath: string,
  name: string,
  steps: ColumnElements,
  stepSplits: Int32Array,
): FlatFeature {
  const { rowSplits, elements } = listElements(steps);
  const kind = kindOf(elements.data.type);
  if (kind === undefined) throw badValueType(columnPath, steps.data.type);
  assertNoNull(columnPath, elements, composeSplits(stepSplits, rowSplits));
  const values = flatValues(elements).values as FlatFeature["values"];
  return { name, kind, isNull: nullMask(steps), rowSplits, values };
}
