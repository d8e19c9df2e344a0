// Exports the format for bundled single-file workers. They cannot load chunks, so every import is static.
import { arrowFormat } from "./arrow-format.js";
import type { Codecs } from "./compression/codecs.js";
import { lz4 } from "./compression/lz4-frame.js";
import { zstd } from "./compression/zstd.js";

const codecsAtHand: Codecs = { lz4: async () => lz4, zstd: async () => zstd };

/** The same format as in the main entry, but its codecs are bundled into the worker's file. */
export const arrow: ReturnType<typeof arrowFormat> = arrowFormat(codecsAtHand, import.meta.url);
