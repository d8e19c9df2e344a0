import type { Codecs } from "./codecs.js";

/** Codecs that are loaded with the first buffer that needs them: ZSTD is WebAssembly of 750 kB. */
export const lateCodecs: Codecs = {
  lz4: async () => (await import("./lz4-frame.js")).lz4,
  zstd: async () => (await import("./zstd.js")).zstd,
};
