import * as decode from "./decode.js";
import * as encode from "./encode.js";
import * as index from "./record-index/file-index.js";
import * as raw from "./raw/plan-raw-records.js";

// The imports are static. Bundlers turn a dynamic import into a chunk, which may import the application's entry. An entry that
// awaits a read at its top level would then deadlock. Workers bundled as a single file cannot have separate chunks at all.

/** Returns the decoders, which are part of this bundle. */
export function loadDecode(): Promise<typeof decode> {
  return Promise.resolve(decode);
}

/** Returns the encoders, which are part of this bundle. */
export function loadEncode(): Promise<typeof encode> {
  return Promise.resolve(encode);
}

/** Returns the decoder of raw records, which is part of this bundle. */
export function loadRaw(): Promise<typeof raw> {
  return Promise.resolve(raw);
}

/** Returns the code that divides files and reads indexes, which is part of this bundle. */
export function loadIndex(): Promise<typeof index> {
  return Promise.resolve(index);
}
