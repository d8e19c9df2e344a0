import { ArgumentError } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { PlanRequest } from "./format.js";

/**
 * A check of each thing that a format yields: that it is a RecordBatch, and of a projected read, that it has no other
 * top-level columns than those asked for. Columns are looked at once for a schema object.
 */
export function createBatchCheck(
  { columns, rawRecordColumn }: PlanRequest,
  formatId: string,
): (batch: RecordBatch) => void {
  const wanted = columns && new Set([...columns.map(({ steps }) => steps[0]), rawRecordColumn]);
  let checked: ArrowSchema | undefined;
  return (batch) => {
    if (!isRecordBatch(batch)) {
      throw badOutput(`${formatId} yielded ${describe(batch)} where a RecordBatch is due`);
    }
    if (wanted === undefined || batch.schema === checked) return;
    checked = batch.schema;
    const other = checked.fields.find(({ name }) => !wanted.has(name));
    if (other === undefined) return;
    throw badOutput(`${formatId} yielded the column "${other.name}", which was not asked for`);
  };
}

/** By its parts: the class may be that of another realm or install. */
function isRecordBatch(value: unknown): boolean {
  const { numRows, schema, data } = Object(value) as Partial<RecordBatch>;
  return typeof numRows === "number" && Array.isArray(schema?.fields) && Array.isArray(data?.children);
}

function describe(value: unknown): string {
  return value === null || typeof value !== "object" ? String(value) : Object.prototype.toString.call(value);
}

function badOutput(message: string): ArgumentError {
  return new ArgumentError("invalid-argument", message, { reason: "format-output", argument: "format" });
}
