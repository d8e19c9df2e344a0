import { assertKnownColumns, selectColumns, withPositionField, withPositions } from "@tfxio/arrow-encoding";
import type { FormatReader, Limits, PlanRequest, ReadOptions, Split } from "@tfxio/format";
import { ArgumentError, type ByteSource } from "@tfxio/wire";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { readSchema } from "./engine/engine.js";
import { type FileFooter, readFooter, type RowGroup } from "./footer/file-footer.js";
import { mayMatchGroup } from "./pruning/rows-to-read.js";
import { decodeRowGroup } from "./row-groups/decode-row-group.js";
import { fetchedAhead } from "./row-groups/fetched-ahead.js";
import { openRowGroup } from "./row-groups/open-row-group.js";
import { rebatched } from "./row-groups/rebatch.js";
import { positionsOf, type RowRange, takeRows } from "./row-ranges.js";
import { arrowSchemaOf, smallFile, storedArrowSchema } from "./row-groups/small-file.js";

interface OpenedFile {
  readonly source: ByteSource;
  readonly footer: FileFooter;
  /** Arrow schema of all columns in their stored form. */
  readonly arrowSchema: ArrowSchema;
}

/** Maximum number of parsed footers that a reader keeps. The footer of a large table takes a long time to parse. */
const MAX_KEPT_FILES = 4;

/** Creates a reader of Parquet files. A split is a whole file, which `subdivide` can cut between row groups. */
export function createParquetReader(sources: readonly ByteSource[], limits: Limits): FormatReader {
  const open = createOpener(limits);
  return {
    async plan(request) {
      assertKnownColumns(request);
      const { schema, filter, rowPositionColumn, splitBytes = 1, signal } = request;
      const arrowSchemaOfFile = async (source: ByteSource): Promise<ArrowSchema> => {
        const file = await open(source, signal);
        const columns = selectColumns(file.arrowSchema, request, source.uri);
        return withPositionField(arrowSchemaOf(columns), rowPositionColumn);
      };
      // The schemas of several files may differ. So the Arrow schema is known in advance only if there is a TFMD schema or a
      // single file.
      const [first] = sources as readonly [ByteSource];
      const isKnown = schema !== undefined || sources.length === 1;
      return {
        arrowSchema: isKnown ? await arrowSchemaOfFile(first) : undefined,
        ...(filter !== undefined && { filtered: "splits" as const }),
        splits: sources.map(({ uri, byteLength }, index) => ({
          index,
          uri,
          ...(byteLength !== undefined && { numBytes: byteLength }),
        })),
        async subdivide(split, options = {}) {
          const file = await open(sources[split.index] as ByteSource, options.signal);
          return subdivided(split, groupsOf(file, split, request), splitBytes);
        },
        async *read(split, options = {}) {
          const file = await open(sources[split.index] as ByteSource, options.signal);
          yield* readSplit(file, split, { request, limits }, options);
        },
      };
    },
  };
}

/** Returns a function that opens files. The function caches the footers of the last {@link MAX_KEPT_FILES} files. */
function createOpener(limits: Limits) {
  const kept = new Map<ByteSource, OpenedFile>();
  return async (source: ByteSource, signal: AbortSignal | undefined): Promise<OpenedFile> => {
    const known = kept.get(source);
    if (known !== undefined) return known;
    const footer = await readFooter(source, limits, signal);
    const { uri } = source;
    const all = [...footer.columns.keys()];
    const parts = smallFile({ footer, columns: all, arrowSchema: storedArrowSchema(footer) });
    const arrowSchema = await readSchema({ parts, uri });
    const file = { source, footer, arrowSchema };
    kept.set(source, file);
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT_FILES) break;
      kept.delete(oldest);
    }
    return file;
  };
}

/** Range of row groups in a file: index of the first, and end index (exclusive). Stored as the `detail` of a split. */
type GroupRange = readonly [first: number, end: number];

/** Returns the row groups of a split that may contain matching rows, each with its index in the file. */
function groupsOf(
  file: OpenedFile,
  { detail }: Split,
  { filter }: PlanRequest,
): readonly (readonly [index: number, group: RowGroup])[] {
  const { rowGroups } = file.footer;
  const [first, end] = (detail as GroupRange | undefined) ?? [0, rowGroups.length];
  const groups = [...rowGroups.entries()].slice(first, end);
  return filter === undefined ? groups : groups.filter(([, group]) => mayMatchGroup(filter, file, group));
}

/**
 * Divides a split into parts of consecutive row groups. A part ends when it has at least `splitBytes` bytes, or before a row
 * group that `groups` omits.
 */
function subdivided(
  { index, uri }: Split,
  groups: readonly (readonly [number, RowGroup])[],
  splitBytes: number,
): readonly Split[] {
  const parts: { first: number; end: number; numRows: number; numBytes: number }[] = [];
  for (const [at, group] of groups) {
    const { numRows } = group;
    const numBytes = storedBytes(group);
    const last = parts.at(-1);
    if (last === undefined || last.end !== at || last.numBytes >= splitBytes) {
      parts.push({ first: at, end: at + 1, numRows, numBytes });
    } else {
      last.end = at + 1;
      last.numRows += numRows;
      last.numBytes += numBytes;
    }
  }
  return parts.map(({ first, end, numRows, numBytes }) => ({
    index,
    uri,
    detail: [first, end],
    numRows,
    numBytes,
  }));
}

/** Returns the number of bytes that a row group takes in the file, compressed. */
function storedBytes({ chunks }: RowGroup): number {
  return chunks.reduce((sum, { start, end }) => sum + end - start, 0);
}

/**
 * Yields the rows of a split from row `from.row` on, in batches of `batchSize` rows. Skips row groups and pages that cannot match
 * the filter. Begins to fetch the next row group while one is being decoded, unless the next one is large.
 */
async function* readSplit(
  file: OpenedFile,
  split: Split,
  { request, limits }: { readonly request: PlanRequest; readonly limits: Limits },
  { from, signal, onProgress }: ReadOptions,
): AsyncGenerator<RecordBatch, void, undefined> {
  const { source, footer, arrowSchema } = file;
  const { batchSize, rowPositionColumn } = request;
  const { row: firstRow = 0 } = from ?? {};
  const columns = selectColumns(arrowSchema, request, source.uri);
  const [first, end] = (split.detail as GroupRange | undefined) ?? [0, footer.rowGroups.length];
  const all = footer.rowGroups.slice(first, end);
  const base = all[0]?.firstRow ?? 0;
  const last = all.at(-1);
  const numRowsOfSplit = last === undefined ? 0 : last.firstRow + last.numRows - base;
  if (firstRow > numRowsOfSplit) throw behindEnd(source.uri, numRowsOfSplit, firstRow);

  const progress = { numRows: 0, numBytes: 0 };
  /** Rows of the file that are decoded but not yet delivered. */
  const rows: RowRange[] = [];
  async function* parts(): AsyncGenerator<RecordBatch, void, undefined> {
    const skipOf = (group: RowGroup): number => Math.max(0, firstRow + base - group.firstRow);
    const groups = groupsOf(file, split, request)
      .map(([, group]) => group)
      .filter((group) => skipOf(group) < group.numRows);
    const read = { ...file, columns, limits, filter: request.filter, pace: { numPartsAhead: 1 } };
    const fetched = fetchedAhead(groups, {
      numBytesOf: storedBytes,
      fetch: (group, fetching) => openRowGroup(read, group, skipOf(group), fetching),
      signal,
    });
    for await (const group of fetched) {
      for await (const { rows: decoded, batch } of decodeRowGroup(read, group, signal)) {
        rows.push({ firstRow: group.group.firstRow + decoded.start, numRows: batch.numRows });
        yield batch;
      }
      progress.numBytes += storedBytes(group.group);
    }
  }
  for await (const batch of rebatched(parts(), batchSize)) {
    const delivered = takeRows(rows, batch.numRows);
    const { firstRow: lastFirst, numRows } = delivered.at(-1) as RowRange;
    progress.numRows += batch.numRows;
    onProgress?.({ position: { row: lastFirst + numRows - base }, ...progress, numSkipped: 0 });
    yield rowPositionColumn === undefined
      ? batch
      : withPositions(batch, rowPositionColumn, positionsOf(delivered));
  }
}

function behindEnd(uri: string, numRows: number, row: number): ArgumentError {
  const message = `${uri} has ${numRows} rows in this split, so reading cannot start at row ${row}.`;
  return new ArgumentError("invalid-argument", message, { argument: "from", reason: "behind-end" });
}
