import * as decode from "./decode.js";
import * as encode from "./encode.js";
import * as index from "./record-index/file-index.js";
import * as raw from "./raw/plan-raw-records.js";

// The imports are static because bundlers turn a dynamic import into a chunk, and a chunk may import the application's entry. If
// that entry awaits a read at its top level, the chunk and the entry wait for each other. Single-file workers cannot load chunks
// at all.

/** Returns the decoders of Examples and SequenceExamples. They are part of this bundle. */
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

/** Returns the code that divides files and reads indexes. It is part of this bundle. */
export function loadIndex(): Promise<typeof index> {
  return Promise.resolve(index);
}
