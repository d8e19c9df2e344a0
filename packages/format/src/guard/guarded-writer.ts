import { ArgumentError, SchemaError } from "@tfxio/wire";
import { assertArgument } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { aRecordBatch } from "./check-batch.js";
import type { WriterOptions } from "../format.js";
import type { BatchWriter } from "../format-spec.js";

/** The options that a wrapped writer obeys, and the conversion of its batches. */
export interface WriterGuard extends Pick<WriterOptions<object>, "arrowSchema" | "signal"> {
  /** Converts a batch of another copy of apache-arrow. */
  asOwnBatch(this: void, batch: RecordBatch): RecordBatch;
}

/**
 * Wraps a format's writer. The wrapper checks and converts batches, obeys the signal, skips empty batches, and rejects every call
 * after `finish`.
 */
export function guardWriter(
  writer: BatchWriter,
  { arrowSchema, asOwnBatch, signal }: WriterGuard,
  formatId: string,
): BatchWriter {
  let isFinished = false;
  let checked: ArrowSchema | undefined;
  const assertOpen = (): void => {
    signal?.throwIfAborted();
    if (!isFinished) return;
    throw new ArgumentError("invalid-argument", `This writer of ${formatId} is finished.`, {
      reason: "writer-finished",
    });
  };
  return {
    async write(batch: RecordBatch): Promise<void> {
      assertOpen();
      assertArgument("batch", batch, aRecordBatch);
      if (batch.schema !== checked) assertSameSchema(batch.schema, arrowSchema);
      checked = batch.schema;
      if (batch.numRows > 0) await writer.write(asOwnBatch(batch));
      signal?.throwIfAborted();
    },
    async finish(): Promise<void> {
      assertOpen();
      isFinished = true;
      await writer.finish();
      signal?.throwIfAborted();
    },
  };
}

/** Compares the names, types and order of fields. Ignores nullability, which batches rarely declare correctly. */
function assertSameSchema(found: ArrowSchema, expected: ArrowSchema): void {
  const show = ({ fields }: ArrowSchema): string[] =>
    fields.map(({ name, type }) => `${name}: ${String(type)}`);
  const [actual, wanted] = [show(found), show(expected)];
  const index = wanted.findIndex((field, position) => field !== actual[position]);
  if (index < 0 && actual.length === wanted.length) return;
  const at = index < 0 ? wanted.length : index;
  throw new SchemaError(
    "schema-mismatch",
    wanted[at] === undefined
      ? `Every written batch must have only the columns of the writer's schema, found the additional column ${at}, ${actual[at]}.`
      : `Column ${at} of every written batch must be ${wanted[at]}, found ${actual[at] ?? "no column"}.`,
    {
      reason: "batch-schema",
      expected: wanted[at],
      actual: actual[at],
      columnPath: expected.fields[at]?.name,
    },
  );
}
