import type { Schema } from "@tfxio/schema";
import { assertArgument, assertOptions, oneOf, type OptionRules } from "@tfxio/wire/checks";
import { type Data, type Field, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { aRecordBatch } from "../argument-rules.js";
import { fieldIndex } from "../column/field-index.js";
import { nullColumn } from "../column/null-column.js";
import { recordBatchOf } from "../table/record-batch.js";
import { assertListed, conformColumn, type ConformRules } from "./conform-column.js";
import { conformedSchema } from "./conformed-schema.js";
import { toListColumns } from "./to-list-columns.js";

/** How a batch is brought into the form of a schema. */
export interface ConformOptions {
  /** Columns, and fields of structs, that the schema does not list. Default `"drop"`. */
  readonly unlisted?: "drop" | "error" | undefined;
  /**
   * How float64 becomes float32, which FLOAT is: `"float32"` refuses values that it cannot hold exactly,
   * `"float32-lossy"` rounds them. Default `"float32"`.
   */
  readonly float64?: "float32" | "float32-lossy" | undefined;
}

/**
 * The batch as `schema` has it: {@link createBatchConformer} for one batch.
 * @throws as {@link createBatchConformer} and its conformer.
 */
export function conformBatch(batch: RecordBatch, schema: Schema, options: ConformOptions = {}): RecordBatch {
  return createBatchConformer(schema, options)(batch);
}

/**
 * Brings batches, in the types of their file or in list form, into the form of a schema that the caller chose: one column a
 * feature, in its order and of the types of {@link conformedSchema}, as tf.Examples are decoded. Batches share that schema.
 * INT takes integers, booleans, dates and times; FLOAT floats; BYTES text, bytes and decimals. A feature that a batch
 * lacks, or has as a Null column, is null in every row. Borrows what is of the type already.
 * @throws {SchemaError} as {@link conformedSchema}; (the conformer) `schema-mismatch`: `wrong-kind` for a column of another
 * kind or number of levels, `unlisted-feature`.
 * @throws {ConversionError} (the conformer) `out-of-range`: `float32-inexact`, or `int64` as {@link toListColumns}.
 * @throws {UnsupportedError} (the conformer) as {@link toListColumns}, for listed columns.
 */
export function createBatchConformer(
  schema: Schema,
  options: ConformOptions = {},
): (batch: RecordBatch) => RecordBatch {
  assertOptions("createBatchConformer", options, CONFORM_RULES);
  const { unlisted = "drop", float64 = "float32" } = options;
  const arrowSchema = conformedSchema(schema);
  const rules: ConformRules = { unlisted, float64 };
  return (batch) => conform(batch, arrowSchema, rules);
}

const CONFORM_RULES: OptionRules<ConformOptions> = {
  unlisted: oneOf("drop", "error"),
  float64: oneOf("float32", "float32-lossy"),
};

function conform(batch: RecordBatch, schema: ArrowSchema, rules: ConformRules): RecordBatch {
  assertArgument("batch", batch, aRecordBatch);
  assertListed(batch.schema.fields, schema.fields, rules, "");
  const { numRows } = batch;
  const listed = toListColumns(listedColumns(batch, schema));
  const byName = new Map(listed.schema.names.map((name, index) => [name, listed.data.children[index]]));
  const children = schema.fields.map(({ name, type }) => {
    const column = byName.get(name);
    if (column === undefined) return nullColumn(type, numRows);
    return conformColumn(column, type, rules, { columnPath: name, rowOf: (row) => row });
  });
  return recordBatchOf(schema, numRows, children, batch.metadata);
}

/** Other columns may be of types that have no list form. */
function listedColumns(batch: RecordBatch, { fields }: ArrowSchema): RecordBatch {
  const chosen = fields
    .map(({ name }) => fieldIndex(batch.schema.fields, name))
    .filter((index) => index >= 0);
  return recordBatchOf(
    new ArrowSchema(chosen.map((index) => batch.schema.fields[index] as Field)),
    batch.numRows,
    chosen.map((index) => batch.data.children[index] as Data),
  );
}
