import { createExampleEncoder, createSequenceExampleEncoder, recordBatchOf } from "@tfxio/arrow-encoding";
import type { BatchWriter, WriterContext } from "@tfxio/format";
import { type ByteTarget, compressedTarget, frameTfRecords } from "@tfxio/wire";
import { type Data, DataType, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { exampleColumns } from "./example-columns.js";
import type { ExampleOptions, RawOptions, SequenceExampleOptions, TfRecordOptions } from "./options.js";
import { assertRawRecords, rawRecordsOf } from "./raw/write-raw-records.js";

/**
 * Creates a writer that writes each row as a tf.Example in a TFRecord. It drops columns of type Null, since they hold no values.
 * {@link exampleColumns} converts the other columns.
 * @throws {UnsupportedError} `unsupported` (`column-type`) if a column cannot be converted. Also throws the errors of {@link
 *   createExampleEncoder}. The writer's `write` throws the errors of the conversion and of {@link ExampleEncoder.encode}.
 */
export function writeExamples(
  target: ByteTarget,
  { arrowSchema, schema, options }: WriterContext<TfRecordOptions & ExampleOptions>,
): BatchWriter {
  const encoder = createExampleEncoder({ schema });
  const columnsOf = exampleColumns(arrowSchema);
  return writerOf(target, options, (batch) => encoder.encode(withoutNullColumns(columnsOf(batch))));
}

/**
 * Creates a writer that writes each row as a tf.SequenceExample in a TFRecord. Throws the same errors as {@link writeExamples}.
 */
export function writeSequenceExamples(
  target: ByteTarget,
  { arrowSchema, schema, options }: WriterContext<TfRecordOptions & SequenceExampleOptions>,
): BatchWriter {
  const columnsOf = exampleColumns(arrowSchema);
  const { sequenceColumn } = options;
  const encoder = createSequenceExampleEncoder({ schema, sequenceColumn });
  return writerOf(target, options, (batch) => encoder.encode(columnsOf(batch)));
}

/**
 * Creates a writer that writes the single value of each row as a record.
 * @throws {SchemaError} The errors of {@link assertRawRecords}. The writer's `write` throws those of {@link rawRecordsOf}.
 */
export function writeRawRecords(
  target: ByteTarget,
  { arrowSchema, options }: WriterContext<TfRecordOptions & RawOptions>,
): BatchWriter {
  const { recordColumn } = options;
  assertRawRecords(arrowSchema, recordColumn);
  return writerOf(target, options, (batch) => rawRecordsOf(batch, recordColumn));
}

/**
 * Creates a writer of TFRecords. With compression `"auto"`, it writes gzip if the name of the target ends in `.gz`.
 * @param encode Returns one serialized record for each row of a batch.
 */
function writerOf(
  target: ByteTarget,
  { compression }: TfRecordOptions,
  encode: (batch: RecordBatch) => readonly Uint8Array[],
): BatchWriter {
  const named = target.uri.endsWith(".gz") ? "gzip" : "none";
  const stored = compressedTarget(target, compression === "auto" ? named : compression);
  return {
    write: (batch) => stored.write(frameTfRecords(encode(batch))),
    finish: () => stored.finish(),
  };
}

/** Returns the batch without its columns of type Null. Borrows the other columns. */
function withoutNullColumns(batch: RecordBatch): RecordBatch {
  const { fields } = batch.schema;
  if (!fields.some(({ type }) => DataType.isNull(type))) return batch;
  const kept = fields.filter(({ type }) => !DataType.isNull(type));
  const children = batch.data.children.filter(({ type }: Data) => !DataType.isNull(type));
  return recordBatchOf(new ArrowSchema(kept), batch.numRows, children);
}
