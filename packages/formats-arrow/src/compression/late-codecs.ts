import type { Codecs } from "./codecs.js";

/**
 * Codecs that are loaded when a reader needs them for a buffer, or when a writer is created, because ZSTD takes 750 kB of
 * WebAssembly.
 */
export const lateCodecs: Codecs = {
  lz4: async () => (await import("./lz4-frame.js")).lz4,
  zstd: async () => (await import("./zstd.js")).zstd,
};
