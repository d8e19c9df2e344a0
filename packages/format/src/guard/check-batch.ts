import { ArgumentError } from "@tfxio/wire";
import { describeValue, type Rule, rule } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { ReadOptions } from "../read-plan.js";
import type { PlanRequest } from "../read-request.js";

/** Checks one batch that a format yields. @throws {ArgumentError} `invalid-argument` (`format-output`) for an invalid batch. */
export type BatchCheck = (batch: RecordBatch) => void;

/**
 * Creates a check of the batches of one read. Each must be a RecordBatch with at least one and at most `batchSize` rows. It must
 * have every column that the read appends, and no column that was not requested. The columns are checked only when the schema
 * object changes.
 */
export function createBatchCheck(
  request: PlanRequest,
  { shuffle }: Pick<ReadOptions, "shuffle">,
  formatId: string,
): BatchCheck {
  const { columns, rawRecordColumn, rowPositionColumn, batchSize } = request;
  const added = [rawRecordColumn, rowPositionColumn, shuffle?.splitIndexColumn].filter(
    (name) => name !== undefined,
  );
  const wanted = columns && new Set([...columns.map(({ steps }) => steps[0]), ...added]);
  let checked: ArrowSchema | undefined;
  return (batch) => {
    if (!isRecordBatch(batch)) {
      throw badOutput(`${formatId} must yield RecordBatches, found ${describeValue(batch)}.`);
    }
    if (batch.numRows === 0 || batch.numRows > batchSize) {
      throw badOutput(
        `${formatId} must yield non-empty batches of at most ${batchSize} rows, found ${batch.numRows}.`,
      );
    }
    if (batch.schema === checked) return;
    checked = batch.schema;
    const names = new Set<string | undefined>(checked.fields.map(({ name }) => name));
    const missing = added.find((name) => !names.has(name));
    if (missing !== undefined)
      throw badOutput(`${formatId} must yield the requested column "${missing}", found a batch without it.`);
    const other = wanted && checked.fields.find(({ name }) => !wanted.has(name));
    if (other !== undefined) {
      throw badOutput(`${formatId} must yield only requested columns, found "${other.name}".`);
    }
  };
}

/** A rule for Arrow record batches, which may come from another realm or another install of apache-arrow. */
export const aRecordBatch: Rule = rule("a RecordBatch", isRecordBatch);

/** Checks the structure, because the class may come from another realm or install. */
function isRecordBatch(value: unknown): value is RecordBatch {
  const { numRows, schema, data } = Object(value) as Partial<RecordBatch>;
  return typeof numRows === "number" && Array.isArray(schema?.fields) && Array.isArray(data?.children);
}

/** Creates the error for invalid output of a format: `invalid-argument` (`format-output`). */
export function badOutput(message: string): ArgumentError {
  return new ArgumentError("invalid-argument", message, { reason: "format-output", argument: "format" });
}
