import type { Split } from "@tfxio/format";
import type { ByteSource } from "@tfxio/wire";
import { dialectOf } from "../dialect.js";
import type { CsvKernel, CsvTable, TableLimits, TablePlan } from "../kernels/csv-kernel.js";
import type { CsvOptions } from "../options.js";
import type { CsvHeader } from "./header.js";
import { feedTable, type FedPush } from "./table-feed.js";

const LF = 10;
const CR = 13;
/** Number of bytes to search at a time for a line break. */
const PROBE_BYTES: number = 64 * 1024;

export interface Subdivision {
  readonly source: ByteSource;
  readonly header: CsvHeader;
  readonly options: CsvOptions;
  readonly kernel: CsvKernel;
  readonly splitBytes: number;
  readonly maxRecordBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** End of a part, and the number of the file's records before that end, if counted. */
interface PartEnd {
  readonly end: number;
  readonly numRecords?: number | undefined;
}

/**
 * Divides a split of an uncompressed file of known length at record boundaries, about `splitBytes` apart. If cells may contain
 * line breaks, only parsing from a known record start finds these boundaries. In that case, an extra pass parses the split
 * without keeping its cells.
 */
export async function subdivideFile(split: Split, subdivision: Subdivision): Promise<readonly Split[]> {
  const { source, header, options, splitBytes } = subdivision;
  const start = split.start ?? 0;
  const end = split.end ?? source.byteLength ?? 0;
  if (end - start <= splitBytes) return [split];
  const from = Math.max(start, header.dataStart);
  const wanted: number[] = [];
  for (let at = start + splitBytes; at < end; at += splitBytes) wanted.push(Math.max(at, from));
  const detail = split.detail as { readonly firstRecord?: number } | undefined;
  const first = { start: from, firstRecord: start === 0 ? 0 : detail?.firstRecord };
  const ends: readonly PartEnd[] = options.multiline
    ? await endsByReading(first, end, wanted, subdivision)
    : await endsByProbing(end, wanted, subdivision);
  const parts: Split[] = [];
  let [partStart, firstRecord] = [start, first.firstRecord];
  for (const part of [...ends, { end } as PartEnd]) {
    if (part.end <= partStart) continue;
    parts.push({
      index: split.index,
      uri: split.uri,
      start: partStart,
      end: part.end,
      ...(firstRecord !== undefined && { detail: { firstRecord } }),
      numBytes: part.end - partStart,
    });
    [partStart, firstRecord] = [part.end, part.numRecords];
  }
  return parts;
}

/** Finds the first record end at or after each wanted position, by parsing. */
async function endsByReading(
  { start, firstRecord }: { readonly start: number; readonly firstRecord: number | undefined },
  end: number,
  wanted: readonly number[],
  { source, options, kernel, maxRecordBytes, signal }: Subdivision,
): Promise<PartEnd[]> {
  const ends: PartEnd[] = [];
  const places = [...wanted];
  let numRecords = firstRecord;
  const feed = {
    source,
    part: { start, end, firstRecord },
    options,
    kernel,
    table: scanPlan(options, maxRecordBytes),
    signal,
  };
  const limits = (inputStart: number): TableLimits => ({
    maxRows: Number.MAX_SAFE_INTEGER,
    maxBytes: Number.MAX_SAFE_INTEGER,
    until: places[0] === undefined ? undefined : places[0] - inputStart,
  });
  const note = ({ inputStart, consumed, numRecords: more }: FedPush, table: CsvTable): undefined => {
    table.clear();
    if (numRecords !== undefined) numRecords += more;
    while (places.length > 0 && inputStart + consumed >= (places[0] as number)) {
      places.shift();
      if (ends.at(-1)?.end !== inputStart + consumed) ends.push({ end: inputStart + consumed, numRecords });
    }
  };
  for await (const _ of feedTable<never>(feed, limits, note));
  return ends;
}

/** Finds the first line end at or after each wanted position. */
async function endsByProbing(
  end: number,
  wanted: readonly number[],
  { source, signal }: Subdivision,
): Promise<PartEnd[]> {
  const ends: PartEnd[] = [];
  for (const place of wanted) {
    if (place <= (ends.at(-1)?.end ?? -1)) continue;
    const at = await lineEndFrom(source, place - 1, end, signal);
    ends.push({ end: at });
  }
  return ends;
}

/** Returns the position after the first line break that begins at `from` or later; `end` if there is none before `end`. */
async function lineEndFrom(
  source: ByteSource,
  from: number,
  end: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (let at = from; at < end; at += PROBE_BYTES) {
    // Read one more byte, for the LF of a CRLF.
    const bytes = await source.slice(at, Math.min(end, at + PROBE_BYTES + 1), { signal });
    const found = bytes.subarray(0, PROBE_BYTES).findIndex((byte) => byte === LF || byte === CR);
    if (found >= 0) return at + found + (bytes[found] === CR && bytes[found + 1] === LF ? 2 : 1);
  }
  return end;
}

function scanPlan(options: CsvOptions, maxRecordBytes: number): TablePlan {
  return {
    dialect: dialectOf(options),
    nullMarkers: [],
    quotedNulls: true,
    kinds: [],
    numCells: 0,
    skipsBadRows: false,
    keepsBounds: false,
    maxRecordBytes,
  };
}
