import { isTfxioError } from "@tfxio/wire";
import { differenceOf } from "../difference.js";
import { categoryOf } from "../error-categories.js";
import { type Outcome, outcomeOf } from "../outcome.js";
import type { VectorCase } from "../vector-file.js";
import { decodeCase, type MessageCase } from "./message-case.js";
import { columnsNotation, rowsNotation } from "./notation.js";

/** Decodes the messages of a case into a batch, and compares its columns and rows, or the error, with the expectation. */
export async function runMessageVector(vector: VectorCase): Promise<Outcome> {
  const { expect } = vector.body as unknown as MessageCase;
  try {
    const batch = await decodeCase(vector);
    if (expect.error !== undefined) {
      return { status: "failed", detail: `expected error ${expect.error.code}, got a batch` };
    }
    const found = { schema: columnsNotation(batch.schema.fields), rows: rowsNotation(batch) };
    return outcomeOf(differenceOf({ schema: expect.schema, rows: expect.rows }, found));
  } catch (error) {
    if (!isTfxioError(error) || expect.error === undefined) throw error;
    const { code, reason } = error;
    const found = {
      code: categoryOf("struct2tensor", { code, ...(reason && { reason }) }) ?? `${code}/${reason}`,
      record: "recordIndex" in error ? error.recordIndex : undefined,
    };
    const { record = found.record } = expect.error;
    return outcomeOf(differenceOf({ code: expect.error.code, record }, found, "error"));
  }
}
