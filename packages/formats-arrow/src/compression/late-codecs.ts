import type { Codecs } from "./codecs.js";

/** Codecs that are loaded only for a compressed buffer, or for a writer that compresses. The ZSTD module takes 750 kB. */
export const lateCodecs: Codecs = {
  lz4: async () => (await import("./lz4-frame.js")).lz4,
  zstd: async () => (await import("./zstd.js")).zstd,
};
