import { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { invalidArgument } from "./check-argument.js";

/** @throws {ArgumentError} `invalid-argument`. */
export function assertBatch(batch: unknown): void {
  if (!RecordBatch.isRecordBatch(batch)) throw invalidArgument("batch", "an Arrow RecordBatch", batch);
}

/** @throws {ArgumentError} `invalid-argument`. */
export function assertArrowSchema(schema: unknown): void {
  if (!ArrowSchema.isSchema(schema)) throw invalidArgument("arrowSchema", "an Arrow Schema", schema);
}
