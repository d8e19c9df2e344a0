import { createExampleEncoder, createSequenceExampleEncoder } from "@tfxio/arrow-encoding";
import type { WriteContext, WriteSummary } from "@tfxio/format";
import { ArgumentError, writeTfRecords } from "@tfxio/wire";
import { type Data, DataType, makeData, RecordBatch, Schema as ArrowSchema, Struct } from "apache-arrow";
import type { ExampleOptions, SequenceExampleOptions, TfRecordOptions } from "./options.js";

/** One serialized record for each row. */
type Encode = (batch: RecordBatch) => readonly Uint8Array[];

/**
 * Writes each row as a tf.Example in a TFRecord. A column of type Null is left out, since no row has a value there;
 * other columns are lists of Float32, Int64, Binary or LargeBinary, nested where the schema represents them as ragged.
 * @throws the errors of {@link ExampleEncoder.encode} and {@link writeTfRecords}.
 */
export function writeExamples(
  batches: AsyncIterable<RecordBatch>,
  target: string,
  context: WriteContext<TfRecordOptions & ExampleOptions>,
): Promise<WriteSummary> {
  const encoder = createExampleEncoder({ schema: context.schema });
  return writeBatches(batches, target, context, (batch) => encoder.encode(withoutNullColumns(batch)));
}

/** The same for tf.SequenceExamples. @throws as {@link writeExamples}. */
export function writeSequenceExamples(
  batches: AsyncIterable<RecordBatch>,
  target: string,
  context: WriteContext<TfRecordOptions & SequenceExampleOptions>,
): Promise<WriteSummary> {
  const { sequenceColumn } = context.options;
  const encoder = createSequenceExampleEncoder({ schema: context.schema, sequenceColumn });
  return writeBatches(batches, target, context, (batch) => encoder.encode(batch));
}

async function writeBatches(
  batches: AsyncIterable<RecordBatch>,
  target: string,
  { options, signal }: WriteContext<TfRecordOptions>,
  encode: Encode,
): Promise<WriteSummary> {
  const { compression, numShards } = options;
  const { uris, numRecords, numBytes } = await writeTfRecords(recordsOf(batches, encode), target, {
    ...(compression !== "auto" && { compression }),
    numShards: numShards ?? undefined,
    signal,
  });
  return { uris, numRows: numRecords, numBytes };
}

async function* recordsOf(
  batches: AsyncIterable<RecordBatch>,
  encode: Encode,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const batch of batches) {
    assertBatch(batch);
    yield* encode(batch);
  }
}

function assertBatch(batch: unknown): void {
  if (RecordBatch.isRecordBatch(batch)) return;
  throw new ArgumentError("invalid-argument", `batches yield RecordBatches, found ${String(batch)}`, {
    argument: "batches",
  });
}

function withoutNullColumns(batch: RecordBatch): RecordBatch {
  const { fields } = batch.schema;
  if (!fields.some(({ type }) => DataType.isNull(type))) return batch;
  const kept = fields.filter(({ type }) => !DataType.isNull(type));
  const children = batch.data.children.filter(({ type }: Data) => !DataType.isNull(type));
  const rows = makeData({ type: new Struct(kept), length: batch.numRows, nullCount: 0, children });
  return new RecordBatch(new ArrowSchema(kept), rows);
}
