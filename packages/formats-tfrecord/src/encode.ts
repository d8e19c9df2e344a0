import { createExampleEncoder, type ExampleEncoder } from "@tfxio/arrow-encoding";
import type { WriteContext, WriteSummary } from "@tfxio/format";
import { writeTfRecords } from "@tfxio/wire";
import { type Data, DataType, makeData, RecordBatch, Schema as ArrowSchema, Struct } from "apache-arrow";
import type { ExampleOptions, TfRecordOptions } from "./options.js";

/**
 * Writes each row as a tf.Example in a TFRecord. A column of type Null is left out, since no row has a value there;
 * other columns are flat lists of Float32, Int64, Binary or LargeBinary.
 * @throws the errors of {@link ExampleEncoder.encode} and {@link writeTfRecords}.
 */
export async function writeExamples(
  batches: AsyncIterable<RecordBatch>,
  target: string,
  { options, signal }: WriteContext<TfRecordOptions & ExampleOptions>,
): Promise<WriteSummary> {
  const { compression, numShards } = options;
  const { uris, numRecords, numBytes } = await writeTfRecords(
    examplesOf(batches, createExampleEncoder()),
    target,
    {
      ...(compression !== "auto" && { compression }),
      numShards: numShards ?? undefined,
      signal,
    },
  );
  return { uris, numRows: numRecords, numBytes };
}

async function* examplesOf(
  batches: AsyncIterable<RecordBatch>,
  encoder: ExampleEncoder,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const batch of batches) yield* encoder.encode(withoutNullColumns(batch));
}

function withoutNullColumns(batch: RecordBatch): RecordBatch {
  const { fields } = batch.schema;
  if (!fields.some(({ type }) => DataType.isNull(type))) return batch;
  const kept = fields.filter(({ type }) => !DataType.isNull(type));
  const children = batch.data.children.filter(({ type }: Data) => !DataType.isNull(type));
  const rows = makeData({ type: new Struct(kept), length: batch.numRows, nullCount: 0, children });
  return new RecordBatch(new ArrowSchema(kept), rows);
}
