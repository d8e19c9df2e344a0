import { loadDecode, loadEncode } from "#coders";
import { defineFormat, type WritableFormat } from "@tfxio/format";
import { bufferStream } from "@tfxio/wire";
import type { Codecs } from "./compression/codecs.js";
import { sniffArrow } from "./containers/container.js";
import { ARROW_DEFAULTS, type ArrowOptions, assertArrowOptions } from "./options.js";

/**
 * Creates the Arrow format.
 * @param codecs Loaders of the LZ4 and ZSTD codecs. Each is called only when its codec is needed.
 * @param module URL of the module that exports the format. Worker threads import the format from it.
 */
export function arrowFormat(codecs: Codecs, module: string): WritableFormat<ArrowOptions> {
  return defineFormat<ArrowOptions>({
    id: "arrow",
    extensions: [".arrow", ".arrows", ".ipc", ".feather"],
    defaults: ARROW_DEFAULTS,
    contractVersion: 2,
    columnForm: "stored",
    reads: { rowPositionColumn: true, subdivide: true, randomAccess: "parts" },
    module,
    sniff: sniffArrow,
    async open(sources, { options, limits }) {
      assertArrowOptions(options, "read");
      return (await loadDecode()).readArrow(sources, { limits: { ...limits, codecs }, options });
    },
    async openStream(bytes, { options, limits }) {
      assertArrowOptions(options, "read");
      // A pipe or socket may break at a message boundary. Only the end marker shows that the stream is complete.
      const context = { limits: { ...limits, codecs }, options, needsEndMarker: true };
      return (await loadDecode()).readArrowStream(bufferStream(bytes), context);
    },
    async createWriter(target, context) {
      assertArrowOptions(context.options, "write");
      return (await loadEncode()).writeArrow(target, context, codecs);
    },
  });
}
