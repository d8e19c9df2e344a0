import {
  BytesColumn,
  type ColumnElements,
  columnElements,
  fieldIndex,
  firstNull,
  flatValues,
  isBytesType,
  isListType,
  listElements,
} from "@tfxio/arrow-encoding";
import { ConversionError, SchemaError } from "@tfxio/wire";
import type { Data, RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/**
 * Checks that the only column of the schema is `recordColumn`, and that it holds bytes or text, either single values or lists.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`, `unlisted-feature`, `value-type`).
 */
export function assertRawRecords({ fields }: ArrowSchema, recordColumn: string): void {
  const other = fields.find(({ name }) => name !== recordColumn);
  if (other !== undefined) {
    throw new SchemaError(
      "schema-mismatch",
      `Column "${other.name}" cannot be written, because raw records hold only column "${recordColumn}".`,
      { reason: "unlisted-feature", columnPath: other.name },
    );
  }
  const [column] = fields;
  if (column === undefined) {
    throw new SchemaError(
      "schema-mismatch",
      `The batches have no column "${recordColumn}", which must hold the records.`,
      {
        reason: "unknown-column",
        columnPath: recordColumn,
      },
    );
  }
  const { type } = column;
  const values = isListType(type) ? type.valueType : type;
  if (isBytesType(values)) return;
  throw new SchemaError(
    "schema-mismatch",
    `Column "${recordColumn}" is ${type}, but raw records must be bytes or text.`,
    {
      reason: "value-type",
      columnPath: recordColumn,
      expected: "bytes or text, or lists of either",
      actual: String(type),
    },
  );
}

/**
 * Returns the records, one for each row, as views of the batch.
 * @throws {ConversionError} `not-convertible` (`null-value`) if a row or its value is null, or (`cell-value`) if a list does not
 *   have exactly one value.
 */
export function rawRecordsOf(batch: RecordBatch, recordColumn: string): readonly Uint8Array[] {
  const column = batch.data.children[fieldIndex(batch.schema.fields, recordColumn)] as Data;
  const rows = columnElements(column);
  assertNoNull(rows, recordColumn);
  const { values } = flatValues(isListType(column.type) ? onlyElements(rows, recordColumn) : rows);
  return (values as BytesColumn).toArray();
}

/** Returns the values of the lists, after checking that each list has exactly one value and that no value is null. */
function onlyElements(rows: ColumnElements, recordColumn: string): ColumnElements {
  const { rowSplits, elements } = listElements(rows);
  for (let row = 0; row < rows.length; row++) {
    const length = rowSplits[row + 1]! - rowSplits[row]!;
    if (length === 1) continue;
    throw new ConversionError(
      "not-convertible",
      `Row ${row} of column "${recordColumn}" has ${length} values, but a raw record needs exactly one.`,
      { reason: "cell-value", columnPath: recordColumn, row },
    );
  }
  assertNoNull(elements, recordColumn);
  return elements;
}

function assertNoNull(elements: ColumnElements, recordColumn: string): void {
  const row = firstNull(elements);
  if (row < 0) return;
  throw new ConversionError(
    "not-convertible",
    `Row ${row} of column "${recordColumn}" is null, but a raw record cannot be null.`,
    { reason: "null-value", columnPath: recordColumn, row },
  );
}
