import { loadDecode } from "#coders";
import {
  defineFormat,
  type Format,
  type FormatReader,
  isDelimitedText,
  onePassSource,
  type OpenContext,
} from "@tfxio/format";
import { bufferStream } from "@tfxio/wire";
import { assertCsvOptions, CSV_DEFAULTS, type CsvOptions } from "./options.js";

/**
 * CSV files, plain, gzip or zlib. Columns are `List<Int64>`, `List<Float32>` and `List<Binary>` with one value for each cell,
 * null for an empty one, and Null where no cell has a value. Text keeps its bytes, whatever its encoding. Each file is a split,
 * which can be cut at records; row positions are their offsets in the file.
 * @see tfx_bsl `CsvTFXIO`; RFC 4180
 */
export const csv: Format<CsvOptions> = csvFormat("csv", { extensions: [".csv"], delimiter: "," });

/** The same with a tab between cells: files of tab-separated values. */
export const tsv: Format<CsvOptions> = csvFormat("tsv", { extensions: [".tsv"], delimiter: "\t" });

function csvFormat(
  id: string,
  { extensions, delimiter }: { readonly extensions: readonly string[]; readonly delimiter: string },
): Format<CsvOptions> {
  return defineFormat<CsvOptions>({
    id,
    extensions,
    defaults: { ...CSV_DEFAULTS, delimiter },
    contractVersion: 2,
    columnForm: "lists",
    reads: { subdivide: true, batchBytes: true, rowPositionColumn: true, rawRecordColumn: true },
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
  });
}

/** Arrow, which decoding needs, is loaded with the first plan. */
function lazyReader(
  id: string,
  { options }: OpenContext<CsvOptions>,
  create: () => Promise<FormatReader>,
): FormatReader {
  assertCsvOptions(id, options);
  let reader: Promise<FormatReader> | undefined;
  return { plan: async (request) => (await (reader ??= create())).plan(request) };
}
