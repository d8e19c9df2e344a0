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
 * Converts one batch to the form of `schema`. Throws the errors of {@link createBatchConformer} and of the conformer that it
 * returns.
 */
export function conformBatch(batch: RecordBatch, schema: Schema, options: ConformOptions = {}): RecordBatch {
  return createBatchConformer(schema, options)(batch);
}

/**
 * Creates a function, the conformer, that converts batches to the form of `schema`. The batches may have the types stored in a
 * file, or be in the list form of {@link toListColumns}. A converted batch has one column per feature, in the schema's order,
 * with the types of {@link conformedSchema}. All converted batches share one schema object. INT accepts integers, booleans,
 * dates, times, timestamps and durations. FLOAT accepts floats. BYTES accepts text, bytes and decimals. A feature whose column is
 * missing or of type Null is null in every row. Columns that already have the right type are borrowed.
 * @throws {SchemaError} As {@link conformedSchema}. The conformer throws `schema-mismatch`: `wrong-kind` if a column or field
 *   differs from its feature in kind or in the number of list levels, and `unlisted-feature` for an unlisted column or field if
 *   `unlisted` is `"error"`.
 * @throws {ConversionError} The conformer throws `out-of-range`: `float32-inexact`, or `int64` under the conditions of
 *   {@link toListColumns}.
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
  // Batches of one file share a schema object, so the columns of each schema are looked up only once.
  const selections = new WeakMap<ArrowSchema, Selection>();
  return (batch) => {
    assertArgument("batch", batch, aRecordBatch);
    let selection = selections.get(batch.schema);
    if (selection === undefined) {
      assertListed(batch.schema.fields, arrowSchema.fields, rules, "");
      selection = selectListed(batch.schema, arrowSchema);
      selections.set(batch.schema, selection);
    }
    return conform(batch, { schema: arrowSchema, rules, selection });
  };
}

const CONFORM_RULES: OptionRules<ConformOptions> = {
  unlisted: oneOf("drop", "error"),
  float64: oneOf("float32", "float32-lossy"),
};

/** The columns of a source schema that the target schema lists, in the order of the target. */
interface Selection {
  readonly arrowSchema: ArrowSchema;
  /** Index of each selected column in the source schema. */
  readonly columnIndices: readonly number[];
  /** For each column of the target, its index among the selected columns, or -1 if the source lacks it. */
  readonly places: readonly number[];
}

/** Selects the listed columns. The others are left out, since their types may have no list form. */
function selectListed({ fields }: ArrowSchema, target: ArrowSchema): Selection {
  const found = target.fields.map(({ name }) => fieldIndex(fields, name));
  const columnIndices = found.filter((index) => index >= 0);
  let numSelected = 0;
  return {
    arrowSchema: new ArrowSchema(columnIndices.map((index) => fields[index] as Field)),
    columnIndices,
    places: found.map((index) => (index < 0 ? -1 : numSelected++)),
  };
}

/** A target schema, and how to convert batches of one source schema to it. */
interface Conformance {
  readonly schema: ArrowSchema;
  readonly rules: ConformRules;
  readonly selection: Selection;
}

function conform(batch: RecordBatch, { schema, rules, selection }: Conformance): RecordBatch {
  const { numRows, data, metadata } = batch;
  const { arrowSchema, columnIndices, places } = selection;
  const selected = columnIndices.map((index) => data.children[index] as Data);
  const listed = toListColumns(recordBatchOf(arrowSchema, numRows, selected));
  const children = schema.fields.map(({ name, type }, index) => {
    const column = listed.data.children[places[index] as number];
    if (column === undefined) return nullColumn(type, numRows);
    return conformColumn(column, type, rules, { columnPath: name, rowOf: (row) => row });
  });
  return recordBatchOf(schema, numRows, children, metadata);
}
