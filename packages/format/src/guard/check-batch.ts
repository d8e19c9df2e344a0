import { ArgumentError } from "@tfxio/wire";
import { describeValue, type Rule, rule } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { ReadOptions } from "../read-plan.js";
import type { PlanRequest } from "../read-request.js";

/** Checks one batch that a format yields. @throws {ArgumentError} `invalid-argument` (`format-output`). */
export type BatchCheck = (batch: RecordBatch) => void;

/**
 * Checks that a read yields RecordBatches with exactly the requested columns, and that no batch is empty or larger than
 * requested. Checks the columns once per schema object.
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
      throw badOutput(`${formatId} yielded ${describeValue(batch)} instead of a RecordBatch`);
    }
    if (batch.numRows === 0 || batch.numRows > batchSize) {
      throw badOutput(`${formatId} yielded a batch of ${batch.numRows} rows, expected 1 to ${batchSize}`);
    }
    if (batch.schema === checked) return;
    checked = batch.schema;
    const names = new Set<string | undefined>(checked.fields.map(({ name }) => name));
    const missing = added.find((name) => !names.has(name));
    if (missing !== undefined) throw badOutput(`${formatId} did not yield the requested column "${missing}"`);
    const other = wanted && checked.fields.find(({ name }) => !wanted.has(name));
    if (other !== undefined) {
      throw badOutput(`${formatId} yielded the column "${other.name}", which was not requested`);
    }
  };
}

/** An Arrow record batch of any install or realm. */
export const aRecordBatch: Rule = rule("a RecordBatch", isRecordBatch);

/** A structural check, because the class may come from another realm or install. */
function isRecordBatch(value: unknown): value is RecordBatch {
  const { numRows, schema, data } = Object(value) as Partial<RecordBatch>;
  return typeof numRows === "number" && Array.isArray(schema?.fields) && Array.isArray(data?.children);
}

/** The error for invalid output of a format. */
export function badOutput(message: string): ArgumentError {
  return new ArgumentError("invalid-argument", message, { reason: "format-output", argument: "format" });
}
