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
 * Rejects a schema whose rows raw records could not represent completely.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`, `unlisted-feature`, `value-type`).
 */
export function assertRawRecords({ fields }: ArrowSchema, recordColumn: string): void {
  const other = fields.find(({ name }) => name !== recordColumn);
  if (other !== undefined) {
    throw new SchemaError(
      "schema-mismatch",
      `Column "${other.name}" cannot be written: raw records hold only column "${recordColumn}".`,
      { reason: "unlisted-feature", columnPath: other.name },
    );
  }
  const [column] = fields;
  if (column === undefined) {
    throw new SchemaError(
      "schema-mismatch",
      `The batches have no column "${recordColumn}", which holds the records.`,
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
    `Column "${recordColumn}" is ${type}, but raw records are bytes or text.`,
    {
      reason: "value-type",
      columnPath: recordColumn,
      expected: "bytes or text, or lists of one",
      actual: String(type),
    },
  );
}

/**
 * The record of each row, as views of the batch.
 * @throws {ConversionError} `not-convertible` for a null (`null-value`) or a row without exactly one value (`cell-value`).
 */
export function rawRecordsOf(batch: RecordBatch, recordColumn: string): readonly Uint8Array[] {
  const column = batch.data.children[fieldIndex(batch.schema.fields, recordColumn)] as Data;
  const rows = columnElements(column);
  assertNoNull(rows, recordColumn);
  const { values } = flatValues(isListType(column.type) ? onlyElements(rows, recordColumn) : rows);
  return (values as BytesColumn).toArray();
}

function onlyElements(rows: ColumnElements, recordColumn: string): ColumnElements {
  const { rowSplits, elements } = listElements(rows);
  for (let row = 0; row < rows.length; row++) {
    const length = rowSplits[row + 1]! - rowSplits[row]!;
    if (length === 1) continue;
    throw new ConversionError(
      "not-convertible",
      `Row ${row} of column "${recordColumn}" has ${length} values; a raw record needs exactly one.`,
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
    `Row ${row} of column "${recordColumn}" is null; a raw record cannot be null.`,
    { reason: "null-value", columnPath: recordColumn, row },
  );
}
