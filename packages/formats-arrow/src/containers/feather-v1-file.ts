import { type ByteSource, coalescing } from "@tfxio/wire";
import type { ReadLimits } from "../compression/codecs.js";
import type { Body } from "../columns/body-buffers.js";
import { Dictionaries } from "../columns/dictionaries.js";
import { parseFeatherV1 } from "../metadata/feather-v1.js";
import { dictionaryIds } from "../metadata/stored-column.js";
import type { BatchIndex } from "./batch-index.js";
import { FEATHER_MAGIC } from "./container.js";
import { type FooterKind, readFooter } from "./footer.js";
import { rangesOf } from "./ranges.js";
import { readDictionary } from "./stored-batch.js";

const TABLE: FooterKind = { what: "the table", container: "a Feather V1 file", magic: FEATHER_MAGIC };

/**
 * Reads the table at the end of a Feather V1 file. The whole file is one batch.
 * @throws {RecordError} `truncated-record` (`footer`); `corrupt-record` (`footer`); `limit-exceeded` (`metadata-length`).
 * @throws The errors of {@link parseFeatherV1}.
 */
export async function openFeatherV1(
  source: ByteSource,
  limits: ReadLimits,
  signal: AbortSignal | undefined,
): Promise<BatchIndex> {
  const { table, numBytes: tableBytes } = await readFooter(source, TABLE, limits, signal);
  const feather = parseFeatherV1(table);
  const { schema, header } = feather;
  const coalesced = coalescing(source);
  // The table gives each array's offset from the start of the file, so the body is the whole file.
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
