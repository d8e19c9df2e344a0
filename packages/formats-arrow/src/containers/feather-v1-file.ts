import { type ByteSource, coalescing, tailOf } from "@tfxio/wire";
import type { ReadLimits } from "../compression/codecs.js";
import type { Body } from "../columns/body-buffers.js";
import { Dictionaries } from "../columns/dictionaries.js";
import { FlatTable, type FlatPlace } from "../flatbuffer/flat-table.js";
import { assertWithin, damaged, truncated } from "../metadata/damage.js";
import { type FeatherV1, parseFeatherV1 } from "../metadata/feather-v1.js";
import { dictionaryIds } from "../metadata/stored-column.js";
import type { BatchIndex } from "./batch-index.js";
import { FEATHER_MAGIC, textOf } from "./container.js";
import { rangesOf } from "./ranges.js";
import { readDictionary } from "./stored-batch.js";

const END_BYTES = 4 + FEATHER_MAGIC.length;
const TAIL_BYTES = 2 ** 16;

/**
 * Reads the table at the end of a Feather V1 file, which is one batch.
 * @throws {RecordError} `truncated-record` (`footer`); `corrupt-record` (`footer`); `limit-exceeded`
 * (`metadata-length`); as {@link parseFeatherV1}.
 */
export async function openFeatherV1(
  source: ByteSource,
  limits: ReadLimits,
  signal: AbortSignal | undefined,
): Promise<BatchIndex> {
  const { feather, tableBytes } = await readTable(source, limits, signal);
  const { schema, header } = feather;
  const coalesced = coalescing(source);
  // Arrays lie where the table says: it is checked against what the file gives.
  const bodyOf = (reading: AbortSignal | undefined): Body => ({
    byteLength: source.byteLength ?? Number.MAX_SAFE_INTEGER,
    read: (ranges) => {
      const places = ranges.map(({ offset, length }) => ({ start: offset, end: offset + length }));
      return rangesOf(coalesced, places, reading);
    },
  });
  const numBytes = header.buffers.reduce((sum, { length }) => sum + length, tableBytes);
  return {
    schema,
    extents: [{ start: 0, end: source.byteLength ?? numBytes }],
    headers: async (first, end) => [header].slice(first, end),
    batch: async (_, dictionaries, reading) => {
      const dictionary = dictionaries.get.bind(dictionaries);
      return { header, body: bodyOf(reading.signal), numBytes, dictionary };
    },
    async dictionaries(columns, reading) {
      const dictionaries = new Dictionaries();
      const needed = new Set(columns.flatMap((column) => [...dictionaryIds(column, schema)]));
      for (const { id, header: values } of feather.dictionaries) {
        if (!needed.has(id)) continue;
        const stored = { header: { id, isDelta: false, values }, body: bodyOf(reading) };
        await readDictionary(stored, schema, dictionaries, limits);
      }
      return dictionaries;
    },
  };
}

async function readTable(
  source: ByteSource,
  limits: ReadLimits,
  signal: AbortSignal | undefined,
): Promise<{ readonly feather: FeatherV1; readonly tableBytes: number }> {
  const { uri, byteLength } = source;
  const end: FlatPlace = { uri, byteOffset: Math.max(0, (byteLength ?? END_BYTES) - END_BYTES) };
  let tail = await tailOf(source, TAIL_BYTES, { signal });
  if (tail.length < END_BYTES || textOf(tail.subarray(-FEATHER_MAGIC.length)) !== FEATHER_MAGIC) {
    throw truncated(end, `it does not end with ${FEATHER_MAGIC}, as a Feather V1 file does`, "footer");
  }
  const length = new DataView(tail.buffer, tail.byteOffset, tail.byteLength).getUint32(
    tail.length - END_BYTES,
    true,
  );
  const numBytes = byteLength ?? (tail.length < TAIL_BYTES ? tail.length : Infinity);
  if (length + END_BYTES > numBytes) {
    throw damaged(end, `the table declares ${length} bytes, of ${numBytes} of the file`, "footer");
  }
  assertWithin(length, limits.maxMetadataBytes, {
    place: end,
    what: "the table",
    reason: "metadata-length",
  });
  if (length + END_BYTES > tail.length) tail = await tailOf(source, length + END_BYTES, { signal });
  if (length + END_BYTES > tail.length) {
    throw damaged(end, `the table declares ${length} bytes, of ${tail.length} of the file`, "footer");
  }
  const place: FlatPlace = { uri, byteOffset: Math.max(0, end.byteOffset - length) };
  const start = tail.length - END_BYTES - length;
  return {
    feather: parseFeatherV1(FlatTable.root(tail.subarray(start, start + length), place)),
    tableBytes: length,
  };
}
