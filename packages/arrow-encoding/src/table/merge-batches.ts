import { ArgumentError, SchemaError } from "@tfxio/wire";
import { assertArgument } from "@tfxio/wire/checks";
import { type DataType, Field, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { aListOfRecordBatches } from "../argument-rules.js";
import { concatBatches } from "../gather/gather-rows.js";
import { conformTo, mergeTypes } from "./merge-types.js";
import { nullColumn } from "../column/null-column.js";
import { recordBatchOf } from "./record-batch.js";

/**
 * Merges batches, which may have different schemas, into one batch with all rows in order. Columns are in order of first
 * occurrence. If a batch lacks a column, or has it with type Null, the batch's rows are null there. Types are merged: lists by
 * the types of their values, structs by the union of their fields. Without batches, the result has no columns and no rows. The
 * merge is associative.
 * @throws {SchemaError} `schema-mismatch` (`incompatible-type`) for types that cannot be merged. `schema-mismatch`
 *   (`duplicate-column`) for two columns of one batch with the same name.
 * @throws {ArgumentError} `invalid-argument` (`empty`) if there are batches but none of them has rows.
 * @throws {UnsupportedError} As {@link gatherRows}.
 * @see tfx_bsl.arrow.table_util.MergeRecordBatches
 */
export function mergeBatches(batches: readonly RecordBatch[]): RecordBatch {
  assertArgument("batches", batches, aListOfRecordBatches);
  if (batches.length > 0 && batches.every(({ numRows }) => numRows === 0)) {
    throw new ArgumentError(
      "invalid-argument",
      `At least one of the ${batches.length} batches must have rows, found none.`,
      {
        reason: "empty",
        argument: "batches",
      },
    );
  }
  const types = new Map<string, DataType>();
  for (const { schema } of batches) {
    assertDistinctFields(schema.fields);
    for (const { name, type } of schema.fields) {
      const known = types.get(name);
      types.set(name, known === undefined ? type : mergeTypes(known, type, name));
    }
  }
  const schema = new ArrowSchema(Array.from(types, ([name, type]) => new Field(name, type, true)));
  return concatBatches(
    batches.map((batch) => conformBatch(batch, schema)),
    schema,
  );
}

/** Checks that field names are distinct. @throws {SchemaError} `schema-mismatch` (`duplicate-column`). */
export function assertDistinctFields(fields: readonly Field[]): void {
  const seen = new Set<string>();
  for (const { name } of fields) {
    if (seen.has(name)) {
      throw new SchemaError(
        "schema-mismatch",
        `Columns, and fields of a struct, must have unique names, found two called "${name}".`,
        {
          reason: "duplicate-column",
          columnPath: name,
        },
      );
    }
    seen.add(name);
  }
}

function conformBatch(batch: RecordBatch, schema: ArrowSchema): RecordBatch {
  const positions = new Map(batch.schema.fields.map(({ name }, index) => [name, index]));
  const children = schema.fields.map(({ name, type }) => {
    const data = batch.data.children[positions.get(name) ?? -1];
    return data === undefined ? nullColumn(type, batch.numRows) : conformTo(type, data);
  });
  return recordBatchOf(schema, batch.numRows, children);
}
