import * as decode from "./decode.js";
import * as encode from "./encode.js";

// Static imports. Bundlers turn a dynamic import into a chunk, which may import the application's entry. An entry that awaits a
// read at its top level would then deadlock. Workers bundled as a single file cannot have separate chunks at all.

/** Returns the decoder, which is part of this bundle. */
export function loadDecode(): Promise<typeof decode> {
  return Promise.resolve(decode);
}

/** Returns the encoder, which is part of this bundle. */
export function loadEncode(): Promise<typeof encode> {
  return Promise.resolve(encode);
}
