import { loadDecode, loadEncode } from "#coders";
import {
  defineFormat,
  type FormatReader,
  isDelimitedText,
  onePassSource,
  type OpenContext,
  type WritableFormat,
} from "@tfxio/format";
import { bufferStream } from "@tfxio/wire";
import { assertOptionsFor, CSV_WRITE_DEFAULTS, type CsvFormatOptions } from "./encode-options.js";
import { CSV_DEFAULTS } from "./options.js";

/**
 * CSV files, uncompressed or compressed with gzip or zlib. Columns are `List<Int64>`, `List<Float32>` or `List<Binary>`, with one
 * value per cell, or several in multivalent columns. By default, an empty cell is null. A column whose type cannot be inferred,
 * because it has no values, has type Null. With `columnForm: "stored"`, columns are Int64, Float32 or Binary, and only
 * multivalent columns are lists. Text keeps its bytes, even if they are not UTF-8, but UTF-16 and UTF-32 are rejected.
 *
 * Each file is a split. It can be subdivided at record boundaries, unless it is compressed or a stream. Row positions are byte
 * offsets of records in the uncompressed file. The writer accepts columns of numbers, text, bytes, booleans, dates and times, and
 * lists of them. A value that CSV cannot represent is `not-convertible`.
 * @see tfx_bsl `CsvTFXIO`; RFC 4180
 */
export const csv: WritableFormat<CsvFormatOptions> = csvFormat("csv", {
  extensions: [".csv", ".csv.gz"],
  delimiter: ",",
});

/** Tab-separated values: like {@link csv}, with a tab between cells. */
export const tsv: WritableFormat<CsvFormatOptions> = csvFormat("tsv", {
  extensions: [".tsv", ".tsv.gz"],
  delimiter: "\t",
});

function csvFormat(
  id: string,
  { extensions, delimiter }: { readonly extensions: readonly string[]; readonly delimiter: string },
): WritableFormat<CsvFormatOptions> {
  return defineFormat<CsvFormatOptions>({
    id,
    extensions,
    defaults: { ...CSV_DEFAULTS, ...CSV_WRITE_DEFAULTS, delimiter },
    contractVersion: 2,
    columnForm: "lists",
    reads: {
      subdivide: true,
      columnForm: true,
      batchBytes: true,
      rowPositionColumn: true,
      rawRecordColumn: true,
    },
    module: import.meta.url,
    sniff: (head) => isDelimitedText(head, delimiter) && "likely",
    async open(sources, context): Promise<FormatReader> {
      return lazyReader(id, context, async () =>
        (await loadDecode()).createCsvReader({ sources, isOnePass: false }, context),
      );
    },
    async openStream(bytes, context): Promise<FormatReader> {
      const stream = bufferStream(bytes);
      const sources = [onePassSource(stream)];
      const reader = lazyReader(id, context, async () =>
        (await loadDecode()).createCsvReader({ sources, isOnePass: true }, context),
      );
      return { ...reader, close: () => stream.close() };
    },
    async createWriter(target, context) {
      assertOptionsFor("write", id, context.options);
      return (await loadEncode()).writeCsv(target, context);
    },
  });
}

/** Checks the options, and returns a reader that loads the decoder and Apache Arrow when the first plan is made. */
function lazyReader(
  id: string,
  { options }: OpenContext<CsvFormatOptions>,
  create: () => Promise<FormatReader>,
): FormatReader {
  assertOptionsFor("read", id, options);
  let reader: Promise<FormatReader> | undefined;
  return { plan: async (request) => (await (reader ??= create())).plan(request) };
}
