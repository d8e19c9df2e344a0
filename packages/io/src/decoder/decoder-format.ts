import { recordBatchOf, schemaFromArrow, sliceBatch, takeRows } from "@tfxio/arrow-encoding";
import { defineFormat, type Format, type ReadOptions, type ReadPlan, type Split } from "@tfxio/format";
import { rawTfrecord } from "@tfxio/formats-tfrecord";
import {
  type ColumnPath,
  getSourceColumns,
  type Schema,
  setTensorRepresentationsInSchema,
} from "@tfxio/schema";
import { ArgumentError, isTfxioError, messageWithoutCode, RecordError, SchemaError } from "@tfxio/wire";
import { Binary, Field, List, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { openDecoder } from "./open-decoder.js";
import type { DecodedBatch, DecoderDescription, RecordDecoder } from "./record-decoder.js";

/** Options of {@link recordToTensor}. */
export interface DecoderOptions {
  /** The decoder, or a description of it in JSON. */
  readonly decoder: RecordDecoder | DecoderDescription | undefined;
  /** Maximum number of records that are decoded together. Default 4096. */
  readonly recordsPerBatch: number;
}

/**
 * TFRecord files whose records a decoder turns into tensors. Files are divided into splits in the same way as files of raw
 * records. A split may have more or fewer rows than records.
 */
export const recordToTensor: Format<DecoderOptions> = defineFormat<DecoderOptions>({
  id: "record-to-tensor",
  extensions: [],
  defaults: { decoder: undefined, recordsPerBatch: 4096 },
  contractVersion: 2,
  columnForm: "lists",
  reads: { rawRecordColumn: true, subdivide: true },
  open: async (sources, { options, limits, signal }) => {
    const { recordsPerBatch } = options;
    const decoder = await openDecoder(options.decoder);
    const raw = await rawTfrecord.open(sources, { limits, signal });
    return {
      close: () => raw.close(),
      async plan({ columns, rawRecordColumn, batchSize, splitBytes, signal: planSignal }) {
        const projected = await projectedDecoder(decoder, columns);
        const shape = batchShape(projected.arrowSchema, columns, rawRecordColumn);
        const records = await raw.plan({ batchSize: recordsPerBatch, splitBytes, signal: planSignal });
        return {
          arrowSchema: shape.arrowSchema,
          schema: schemaOf(decoder),
          splits: records.splits.map(withoutNumRecords),
          ...(records.subdivide && {
            subdivide: async (split: Split, subdivideOptions) =>
              (await records.subdivide!(split, subdivideOptions)).map(withoutNumRecords),
          }),
          read: (split, readOptions = {}) =>
            readDecoded(records.read(split, rawOptions(readOptions)), {
              decoder: projected,
              split,
              shape,
              batchSize,
              options: readOptions,
            }),
        };
      },
    };
  },
});

/** Removes `numRows` from a split of raw records, because the number of decoded rows may differ. */
function withoutNumRecords({ numRows: _numRecords, ...split }: Split): Split {
  return split;
}

/** Returns the TFMD schema of the decoder's columns, including the representations of its tensors. */
export function schemaOf({ arrowSchema, tensorRepresentations }: RecordDecoder): Schema {
  const schema = schemaFromArrow(arrowSchema);
  setTensorRepresentationsInSchema(schema, tensorRepresentations);
  return schema;
}

/**
 * Returns a decoder for only the tensors that are made from `columns`. If no tensor is made from them, and the decoder has no
 * tensor with the record index, one tensor is kept in order to count rows.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`) for a column that the decoder does not provide.
 */
async function projectedDecoder(
  decoder: RecordDecoder,
  columns: readonly ColumnPath[] | undefined,
): Promise<RecordDecoder> {
  if (columns === undefined) return decoder;
  const wanted = new Set(columns.map(({ steps }) => steps[0]));
  const { tensorRepresentations, recordIndexTensorName, arrowSchema } = decoder;
  const unknown = [...wanted].find((name) => !arrowSchema.fields.some((field) => field.name === name));
  if (unknown !== undefined) {
    throw new SchemaError("schema-mismatch", `The decoder has no column "${unknown}".`, {
      reason: "unknown-column",
      columnPath: unknown,
    });
  }
  const names = [...tensorRepresentations]
    .filter(([, representation]) =>
      getSourceColumns(representation).some(({ steps }) => wanted.has(steps[0])),
    )
    .map(([name]) => name);
  const [first] = tensorRepresentations.keys();
  const hasRows = names.length > 0 || recordIndexTensorName !== undefined || first === undefined;
  return decoder.project(hasRows ? names : [first]);
}

/** The columns of the batches that a read yields. */
interface BatchShape {
  readonly arrowSchema: ArrowSchema;
  /** Names of the decoder's columns that the batches keep, in order. */
  readonly decoded: readonly string[];
  readonly rawRecordColumn: string | undefined;
}

/**
 * @throws {ArgumentError} `invalid-argument` (`duplicate-column`) if the raw record column has the same name as a column of the
 *   decoder.
 */
function batchShape(
  { fields }: ArrowSchema,
  columns: readonly ColumnPath[] | undefined,
  rawRecordColumn: string | undefined,
): BatchShape {
  const wanted = columns && new Set(columns.map(({ steps }) => steps[0]));
  const kept = fields.filter(({ name }) => wanted?.has(name) ?? true);
  if (fields.some(({ name }) => name === rawRecordColumn)) {
    throw new ArgumentError(
      "invalid-argument",
      `The raw record column "${rawRecordColumn}" has the same name as a column of the decoder; choose another name.`,
      {
        reason: "duplicate-column",
        argument: "rawRecordColumn",
      },
    );
  }
  const type = new List(new Field("item", new Binary(), true));
  const added = rawRecordColumn === undefined ? [] : [new Field(rawRecordColumn, type, true)];
  return {
    arrowSchema: new ArrowSchema([...kept, ...added]),
    decoded: kept.map(({ name }) => name),
    rawRecordColumn,
  };
}

interface DecodedRead {
  readonly decoder: RecordDecoder;
  readonly split: Split;
  readonly shape: BatchShape;
  /** Maximum number of rows in an output batch. */
  readonly batchSize: number;
  readonly options: ReadOptions;
}

/**
 * Returns the options for reading the raw records. Rows cannot be skipped without decoding, so a resumed read decodes its split
 * from the start.
 */
function rawOptions({ signal }: ReadOptions): ReadOptions {
  return signal === undefined ? {} : { signal };
}

async function* readDecoded(
  rawBatches: ReturnType<ReadPlan["read"]>,
  { decoder, split, shape, batchSize, options }: DecodedRead,
): AsyncGenerator<RecordBatch> {
  let numRecords = 0;
  let numSkipped = 0;
  let numBytes = 0;
  // `row` is the number of rows in the split before the current decoded batch. `numDelivered` is the number of yielded rows, and
  // `numReported` is the number of skipped records in the last report.
  let row = 0;
  let numDelivered = 0;
  let numReported = 0;
  const report = (at: number): void => {
    numReported = numSkipped;
    options.onProgress?.({ position: { row: at }, numRows: numDelivered, numBytes, numSkipped });
  };
  const begin = options.from?.row ?? 0;
  for await (const raw of rawBatches) {
    const records = recordsIn(raw);
    const decoded = decodeAt(decoder, records, { split, recordIndex: numRecords });
    numRecords += records.length;
    numSkipped += decoded.numSkipped;
    numBytes += records.reduce((sum, { length }) => sum + length, 0);
    const batch = outgoing(decoded.batch, rowsOfRaw(raw, decoded.recordIndices), shape);
    const { numRows } = batch;
    for (let at = Math.min(numRows, Math.max(0, begin - row)); at < numRows; at += batchSize) {
      const piece = sliceBatch(batch, at, Math.min(at + batchSize, numRows));
      numDelivered += piece.numRows;
      report(row + at + piece.numRows);
      yield piece;
    }
    row += numRows;
  }
  if (numSkipped > numReported) report(row);
}

/**
 * Decodes consecutive records, of which the first is record `recordIndex` of the split. An error for a malformed record is
 * rethrown with the file and the number of the record.
 */
function decodeAt(
  decoder: RecordDecoder,
  records: readonly Uint8Array[],
  { split, recordIndex: first }: { readonly split: Split; readonly recordIndex: number },
): DecodedBatch {
  try {
    return decoder.decode(records);
  } catch (cause) {
    if (!isTfxioError(cause, "malformed-payload") || cause.recordIndex === undefined) throw cause;
    const { uri, start = 0 } = split;
    const inSplit = first + cause.recordIndex;
    const place = start === 0 ? `record ${inSplit}` : `record ${inSplit} of the part at byte ${start}`;
    const problem = messageWithoutCode(cause);
    throw new RecordError(cause.code, `${uri}, ${place}: ${problem}`, {
      reason: cause.reason,
      byteOffset: cause.byteOffset,
      uri,
      // Unless this part begins at byte 0, the number of records before it is unknown.
      ...(start === 0 && { recordIndex: inSplit }),
      cause,
    });
  }
}

/** Returns views of the records. `raw` has one list column of binary values, with one value in each row. */
function recordsIn(raw: RecordBatch): readonly Uint8Array[] {
  const [lists] = raw.data.children;
  const [bytes] = lists!.children;
  const offsets = bytes!.valueOffsets as Int32Array;
  const data = bytes!.values as Uint8Array;
  const first = (lists!.valueOffsets as Int32Array)[0]!;
  return Array.from({ length: raw.numRows }, (_, row) =>
    data.subarray(offsets[first + row], offsets[first + row + 1]),
  );
}

function rowsOfRaw(raw: RecordBatch, recordIndices: Int32Array | undefined): RecordBatch {
  return recordIndices === undefined ? raw : takeRows(raw, Uint32Array.from(recordIndices));
}

function outgoing(
  batch: RecordBatch,
  raw: RecordBatch,
  { arrowSchema, decoded, rawRecordColumn }: BatchShape,
): RecordBatch {
  const { fields } = batch.schema;
  const columns = decoded.map(
    (name) => batch.data.children[fields.findIndex((field) => field.name === name)]!,
  );
  const added = rawRecordColumn === undefined ? [] : [raw.data.children[0]!];
  return recordBatchOf(arrowSchema, batch.numRows, [...columns, ...added]);
}
