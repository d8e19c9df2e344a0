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

/** Options for converting a batch to the form of a schema. */
export interface ConformOptions {
  /** Treatment of columns, and fields of structs, that the schema does not list. Default `"drop"`. */
  readonly unlisted?: "drop" | "error" | undefined;
  /**
   * Conversion of float64 to float32, the type of FLOAT. `"float32"`, the default, rejects values that float32 cannot hold
   * exactly. `"float32-lossy"` rounds them.
   */
  readonly float64?: "float32" | "float32-lossy" | undefined;
}

/**
 * Converts one batch to the form of `schema`, like {@link createBatchConformer}.
 * Throws the errors of {@link createBatchConformer} and of its conformer.
 */
export function conformBatch(batch: RecordBatch, schema: Schema, options: ConformOptions = {}): RecordBatch {
  return createBatchConformer(schema, options)(batch);
}

/**
 * Creates a function, the conformer, that converts batches to the form of `schema`. The batches may have the types of their
 * file or be in list form. A converted batch has one column per feature, in the schema's order, with the types of {@link
 * conformedSchema}, like decoded tf.Examples. All converted batches share one schema object. INT accepts integers, booleans,
 * dates and times. FLOAT accepts floats. BYTES accepts text, bytes and decimals. A feature whose column is missing or of type
 * Null is null in every row. Columns that already have the right type are borrowed.
 * @throws {SchemaError} As {@link conformedSchema}. The conformer throws `schema-mismatch`, reason `wrong-kind` for a column with
 *   a different kind or number of levels, reason `unlisted-feature` with `unlisted: "error"`.
 * @throws {ConversionError} The conformer throws `out-of-range`, reason `float32-inexact`, or reason `int64` as
 *   {@link toListColumns} does.
 * @throws {UnsupportedError} The conformer throws the errors of {@link toListColumns} for listed columns.
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

/** Selects the columns that the schema lists. Other columns may have types without a list form. */
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
