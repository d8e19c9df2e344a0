import { assertKnownColumns, withPositionField, withPositions } from "@tfxio/arrow-encoding";
import type { FormatReader, Limits, PlanRequest, ReadOptions, Split } from "@tfxio/format";
import { ArgumentError, type ByteSource } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import { AvroCursor } from "./columns/avro-cursor.js";
import { minBytes } from "./schema/avro-type.js";
import { type AvroColumns, BatchBuilder, planColumns } from "./columns/batch-builder.js";
import { ChunkReader } from "./container/chunk-reader.js";
import {
  decompressBlock,
  type FileBlock,
  type FileHeader,
  readBlocks,
  readFileHeader,
} from "./container/file-blocks.js";
import { MAX_BLOCK_ROWS } from "./container/container-layout.js";
import { parseAvroSchema } from "./schema/parse-schema.js";
import { skipValue } from "./columns/skip-value.js";

/** Approximate maximum size of a batch in bytes, if none is requested. Rows of nested data can be large. */
const DEFAULT_BATCH_BYTES = 32 * 2 ** 20;
/** Number of bytes per read of a header. Most headers take a few kB. */
const HEADER_SLICE_BYTES = 16_384;

/** Options of {@link createAvroReader}. */
export interface AvroReaderOptions {
  readonly limits: Limits;
  /** False for a stream, which can be read only once. A resumed read of a stream skips blocks instead of seeking. */
  readonly canSeek: boolean;
}

/** Creates a reader of Avro files. Splits are byte ranges. A block belongs to the range that contains its first byte. */
export function createAvroReader(
  sources: readonly ByteSource[],
  { limits, canSeek }: AvroReaderOptions,
): FormatReader {
  return {
    async plan(request) {
      assertKnownColumns(request);
      const parts = sources.flatMap((source) =>
        rangesOf(source, request).map((range) => ({ source, range })),
      );
      const { schema, rowPositionColumn, signal } = request;
      // With a schema, the first file decides the types of the columns. Without a schema, the types are known only if there is a
      // single file.
      const isKnown = schema !== undefined || sources.length === 1;
      const columns = isKnown
        ? await readColumns(sources[0] as ByteSource, request, limits, signal)
        : undefined;
      return {
        arrowSchema: columns && withPositionField(columns.arrowSchema, rowPositionColumn),
        splits: parts.map(({ source: { uri }, range }, index) => ({ index, uri, ...range })),
        read: (split, options = {}) => {
          const { source } = parts[split.index] as { readonly source: ByteSource };
          const { from } = options;
          const seen = from === undefined || canSeek ? from : { row: from.row };
          return readSplit({ source, split, request, limits }, { ...options, from: seen });
        },
      };
    },
  };
}

/** Divides a source into byte ranges of about `splitBytes` each. A source of unknown length has one range without bounds. */
function rangesOf(
  { byteLength }: ByteSource,
  { splitBytes = Number.POSITIVE_INFINITY }: PlanRequest,
): readonly Pick<Split, "start" | "end" | "numBytes">[] {
  if (byteLength === undefined) return [{}];
  const numRanges = Math.max(1, Math.round(byteLength / splitBytes));
  if (numRanges === 1) return [{ numBytes: byteLength }];
  return Array.from({ length: numRanges }, (_, index) => {
    const start = Math.floor((index * byteLength) / numRanges);
    const end = Math.floor(((index + 1) * byteLength) / numRanges);
    return { start, end, numBytes: end - start };
  });
}

interface OpenedFile {
  /** Reader at the first block to read. The caller must close it. */
  readonly reader: ChunkReader;
  readonly header: FileHeader;
  readonly columns: AvroColumns;
}

/** Opens a file, reads its header, and leaves the reader at the first block. */
async function openFile(
  source: ByteSource,
  request: PlanRequest,
  limits: Limits,
  signal: AbortSignal | undefined,
): Promise<OpenedFile> {
  const reader = new ChunkReader(source.uri, source.stream({ signal }), 0);
  try {
    const header = await readFileHeader(reader, limits);
    return { reader, header, columns: columnsOf(header, source, request) };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/**
 * Reads the columns of a file from its header. Uses `slice` rather than `stream`, because a source that can be read only once
 * keeps the bytes returned by `slice` for the later read of the rows.
 */
async function readColumns(
  source: ByteSource,
  request: PlanRequest,
  limits: Limits,
  signal: AbortSignal | undefined,
): Promise<AvroColumns> {
  async function* slices(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let at = 0; ; at += HEADER_SLICE_BYTES) {
      const slice = await source.slice(at, at + HEADER_SLICE_BYTES, { signal });
      if (slice.length > 0) yield slice;
      if (slice.length < HEADER_SLICE_BYTES) return;
    }
  }
  const header = await readFileHeader(new ChunkReader(source.uri, slices(), 0), limits);
  return columnsOf(header, source, request);
}

function columnsOf({ schemaText }: FileHeader, { uri }: ByteSource, request: PlanRequest): AvroColumns {
  return planColumns(parseAvroSchema(schemaText, uri), request, uri);
}

interface SplitRead {
  readonly source: ByteSource;
  readonly split: Split;
  readonly request: PlanRequest;
  readonly limits: Limits;
}

/** The block at which a read resumes: its byte offset, and the number of the split's rows before the block. */
type BlockPosition = readonly [byteOffset: number, numRowsBefore: number];

/** Yields the batches of a split. A read can resume at each reported position. */
async function* readSplit(
  of: SplitRead,
  { from, signal, onProgress }: ReadOptions,
): AsyncGenerator<RecordBatch, void, undefined> {
  const { split, request, limits } = of;
  const { batchSize, batchBytes = DEFAULT_BATCH_BYTES, rowPositionColumn } = request;
  const { uri, end = Number.POSITIVE_INFINITY } = split;
  const { row: firstRow = 0 } = from ?? {};
  const [soughtOffset, numRowsBefore] = (from?.detail as BlockPosition | undefined) ?? [undefined, 0];
  const { reader, header, columns } = await openSplit(of, soughtOffset, signal);
  const newBatch = (): BatchBuilder => new BatchBuilder(columns, uri, limits.maxPageBytes);
  let [batch, positions]: [BatchBuilder, bigint[]] = [newBatch(), []];
  let [blockRow, numRows, numBytes] = [numRowsBefore, 0, 0];

  // The rows before a split are not counted, so the indices of its records in the file are known only if it begins at byte 0.
  const indexOf = (row: number): number | undefined => ((split.start ?? 0) === 0 ? row : undefined);
  const finish = (detail: BlockPosition): RecordBatch => {
    numRows += batch.numRows;
    onProgress?.({ position: { row: firstRow + numRows, detail }, numRows, numBytes, numSkipped: 0 });
    const finished = withPositions(batch.finish(), rowPositionColumn, BigInt64Array.from(positions));
    [batch, positions] = [newBatch(), []];
    return finished;
  };

  try {
    let next: BlockPosition = [reader.byteOffset, blockRow];
    for await (const block of readBlocks(reader, header, end, limits)) {
      const skip = Math.max(0, firstRow - blockRow);
      if (skip < block.numRows) {
        const bytes = await decompressBlock(block, header, uri, limits);
        numBytes += bytes.length;
        const { byteOffset } = block;
        const cursor = new AvroCursor({
          uri,
          bytes,
          recordIndex: indexOf(blockRow),
          container: "block",
          byteOffset,
        });
        cursor.takeItems(block.numRows, minBytes(columns.type));
        for (let row = 0; row < skip; row++) skipValue(columns.type, cursor);
        for (let row = skip; row < block.numRows; row++) {
          cursor.recordIndex = indexOf(blockRow + row);
          batch.append(cursor);
          if (rowPositionColumn !== undefined) positions.push(positionOf(block, row));
          if (batch.numRows === batchSize || batch.numBytes >= batchBytes) yield finish(next);
        }
        cursor.assertAtEnd();
      }
      blockRow += block.numRows;
      next = [reader.byteOffset, blockRow];
    }
    if (batch.numRows > 0) yield finish(next);
    if (firstRow > blockRow) throw behindEnd(uri, blockRow, firstRow);
  } finally {
    await reader.close();
  }
}

/** Opens a file and moves its reader to the block at byte `sought`, or by default to the first block of the split. */
async function openSplit(
  { source, split, request, limits }: SplitRead,
  sought: number | undefined,
  signal: AbortSignal | undefined,
): Promise<OpenedFile> {
  const file = await openFile(source, request, limits, signal);
  const { uri, start = 0 } = split;
  if (sought === undefined && start <= file.reader.byteOffset) return file;
  await file.reader.close();
  // Every block follows a sync marker. The marker before the split's first block may begin before the split.
  const from = sought ?? start - file.header.sync.length;
  const reader = new ChunkReader(uri, source.stream({ start: from, signal }), from);
  if (sought === undefined) await reader.passMarker(file.header.sync);
  return { ...file, reader };
}

/** Returns the position of a row in its file. Positions are unique and ascending, and do not depend on how the file is split. */
function positionOf({ byteOffset }: FileBlock, row: number): bigint {
  return BigInt(byteOffset) * BigInt(MAX_BLOCK_ROWS) + BigInt(row);
}

function behindEnd(uri: string, numRows: number, row: number): ArgumentError {
  const message = `${uri} has ${numRows} rows in this split, so reading cannot start at row ${row}.`;
  return new ArgumentError("invalid-argument", message, { argument: "from", reason: "behind-end" });
}
