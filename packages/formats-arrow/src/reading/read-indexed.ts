import type { ReadOptions, Split } from "@tfxio/format";
import { isObject, membersOf } from "@tfxio/wire/checks";
import { ArgumentError } from "@tfxio/wire/errors";
import { type HandedOver, handedOver } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";
import type { ArrowSource } from "../containers/arrow-source.js";
import type { BatchIndex } from "../containers/batch-index.js";
import { decodeBatch, type ReadContext } from "./decode-batch.js";
import { type BatchDetail, rebatched, type StoredRows } from "./rebatch.js";

type IndexedSource = Extract<ArrowSource, { readonly kind: "indexed" }>;

/** The record batches `first` to `end` (exclusive) of a file. */
interface BatchRange {
  readonly first: number;
  readonly end: number;
}

/** Reads the batches of a split, starting at the requested position. */
export function readIndexed(
  source: IndexedSource,
  split: Split,
  context: Omit<ReadContext, "schema">,
  options: ReadOptions,
): HandedOver<RecordBatch> {
  const { from, onProgress } = options;
  const { joinBatches, request } = context;
  return rebatched(storedRows(source, split, context, options), {
    batchSize: request.batchSize,
    joinBatches,
    firstRow: from?.row ?? 0,
    onProgress,
  });
}

function storedRows(
  { index, schema }: IndexedSource,
  split: Split,
  context: Omit<ReadContext, "schema">,
  { signal, from }: ReadOptions,
): HandedOver<StoredRows> {
  const { selection, request } = context;
  const range = rangeOf(split, index);
  const start = startOf(from, range);
  const wanted = from?.row ?? 0;
  const open = async () => ({
    dictionaries: await index.dictionaries(selection.columns, signal),
    before: request.rowPositionColumn === undefined ? 0 : await numRowsBefore(index, range.first, signal),
  });
  let opened: ReturnType<typeof open> | undefined;
  let { batch: nextBatch, row: nextRow } = start;
  return handedOver(async () => {
    const { dictionaries, before } = await (opened ??= open());
    while (nextBatch < range.end) {
      const [at, row] = [nextBatch++, nextRow];
      const isWhole = selection.isWhole && row >= wanted;
      const stored = await index.batch(at, dictionaries, { isWhole, signal });
      nextRow += stored.header.numRows;
      const skipped = Math.max(0, wanted - row);
      if (skipped >= stored.header.numRows) continue;
      const rows = { from: skipped, firstRow: before + row };
      const batch = await decodeBatch(stored, { ...context, schema }, rows);
      return { batch, numBytes: stored.numBytes, row, stored: at };
    }
    return undefined;
  });
}

/**
 * Divides a split into parts of whole record batches. Each part has at least `splitBytes` bytes, except possibly the last.
 * Without `splitBytes`, each part is one batch, and its number of rows is known. A source without random access, or with batches
 * out of order, is not divided.
 */
export async function subdivideIndexed(
  source: ArrowSource,
  split: Split,
  {
    splitBytes,
    signal,
  }: { readonly splitBytes: number | undefined; readonly signal: AbortSignal | undefined },
): Promise<readonly Split[]> {
  if (source.kind !== "indexed" || !liesInOrder(source.index)) return [split];
  const { extents } = source.index;
  const { first, end } = rangeOf(split, source.index);
  // Reading the headers of all batches pays off only if each part is a single batch.
  const headers = splitBytes === undefined ? await source.index.headers(first, end, signal) : [];
  const parts: Split[] = [];
  for (let at = first; at < end; ) {
    const begin = at;
    const start = (extents[begin] as { start: number }).start;
    let stop = start;
    do stop = (extents[at++] as { end: number }).end;
    while (at < end && stop - start < (splitBytes ?? 1));
    const { index, uri } = split;
    const numRows = headers[begin - first]?.numRows;
    parts.push({
      index,
      uri,
      start,
      end: stop,
      numBytes: stop - start,
      ...(numRows !== undefined && { numRows }),
      detail: { first: begin, end: at },
    });
  }
  return parts.length === 0 ? [{ ...split, numRows: 0 }] : parts;
}

function liesInOrder({ extents }: BatchIndex): boolean {
  return extents.every(({ start }, at) => at === 0 || start >= (extents[at - 1] as { end: number }).end);
}

/** Returns the batches of a split. @throws {ArgumentError} `invalid-argument` (`unknown-split`). */
function rangeOf({ index, uri, detail }: Split, { extents }: BatchIndex): BatchRange {
  if (detail === undefined) return { first: 0, end: extents.length };
  const { first, end } = membersOf(detail);
  const isRange = isCount(first) && isCount(end) && first <= end && end <= extents.length;
  if (isRange) return { first, end };
  throw new ArgumentError(
    "invalid-argument",
    `Split ${index} of ${uri} begins at record batch ${String(first)} and ends before ${String(end)}, ` +
      `expected a range within 0 to ${extents.length}.`,
    { argument: "split", reason: "unknown-split" },
  );
}

/**
 * Returns the batch at which to begin. The detail of `from` names this batch, so the headers of earlier batches in the range are
 * not read. Without a plausible detail, returns the first batch of the range.
 */
function startOf(from: ReadOptions["from"], { first, end }: BatchRange): BatchDetail {
  const detail = from?.detail;
  const { batch, row } = isObject(detail) ? membersOf(detail) : { batch: undefined, row: undefined };
  const isUsable = isCount(batch) && isCount(row) && batch >= first && batch < end && row <= (from?.row ?? 0);
  return isUsable ? { batch, row } : { batch: first, row: 0 };
}

async function numRowsBefore(
  index: BatchIndex,
  end: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const headers = await index.headers(0, end, signal);
  return headers.reduce((sum, { numRows }) => sum + numRows, 0);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
