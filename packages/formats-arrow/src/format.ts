import { loadDecode, loadEncode } from "#coders";
import { defineFormat, type WritableFormat } from "@tfxio/format";
import { bufferStream } from "@tfxio/wire";
import { sniffArrow } from "./containers/container.js";
import { ARROW_DEFAULTS, type ArrowOptions, assertArrowOptions } from "./options.js";

/**
 * Arrow IPC files and streams, and Feather: V2, which is an IPC file, and V1, which is read only. The container is detected
 * from the bytes; the name does not matter. Buffers may be compressed with LZ4 or ZSTD; a stream may be gzipped.
 *
 * Batches have the types of the file, with dictionaries kept. Types that arrow-js cannot hold are expanded: views of text
 * and bytes to Utf8 and Binary, list views to lists, run ends to their values; 64-bit dictionary indices become Int32. A
 * batch borrows the memory of a source in memory. Stored batches are cut at `batchSize` rows without copies; shorter ones
 * are joined, unless `joinBatches` is false, and except for unions and where their dictionaries differ. Row positions are the numbers of rows.
 *
 * With a schema, a batch has one column for each feature, in the type of the file; `openTfxio` brings it into the type
 * of the feature. A file is a split, which `subdivide` cuts between record batches. A stream has to end with its end
 * marker when it is read from a pipe or socket; a file need not.
 * @see https://arrow.apache.org/docs/format/Columnar.html
 */
export const arrow: WritableFormat<ArrowOptions> = defineFormat<ArrowOptions>({
  id: "arrow",
  extensions: [".arrow", ".arrows", ".ipc", ".feather"],
  defaults: ARROW_DEFAULTS,
  contractVersion: 2,
  columnForm: "stored",
  reads: { rowPositionColumn: true, subdivide: true },
  module: import.meta.url,
  sniff: sniffArrow,
  async open(sources, { options, limits }) {
    assertArrowOptions(options, "read");
    return (await loadDecode()).readArrow(sources, { limits, options });
  },
  async openStream(bytes, { options, limits }) {
    assertArrowOptions(options, "read");
    // What ends without its marker was cut off.
    const context = { limits, options, needsEndMarker: true };
    return (await loadDecode()).readArrowStream(bufferStream(bytes), context);
  },
  async createWriter(target, context) {
    assertArrowOptions(context.options, "write");
    return (await loadEncode()).writeArrow(target, context);
  },
});
