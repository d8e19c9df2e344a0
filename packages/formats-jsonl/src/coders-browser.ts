import * as decode from "./decode.js";
import * as encode from "./encode.js";

// The imports are static because bundlers turn a dynamic import into a chunk, and a chunk may import the application's entry. If
// that entry awaits a read at its top level, the chunk and the entry wait for each other. Single-file workers cannot load chunks
// at all.

/** Returns the bundled decoder. The Node variant in coders-node.ts imports it on first use. */
export function loadDecode(): Promise<typeof decode> {
  return Promise.resolve(decode);
}

/** Returns the bundled encoder. The Node variant in coders-node.ts imports it on first use. */
export function loadEncode(): Promise<typeof encode> {
  return Promise.resolve(encode);
}
