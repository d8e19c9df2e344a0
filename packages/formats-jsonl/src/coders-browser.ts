import * as decode from "./decode.js";
import * as encode from "./encode.js";

// These imports are static for two reasons. Bundlers turn a dynamic import into a chunk that may import the application's entry
// module. If that module awaits a read at its top level, the chunk and the module wait for each other forever. And workers that
// are bundled into a single file cannot have chunks.

/** Returns the bundled decoder. The Node variant in coders-node.ts imports it on first use. */
export function loadDecode(): Promise<typeof decode> {
  return Promise.resolve(decode);
}

/** Returns the bundled encoder. The Node variant in coders-node.ts imports it on first use. */
export function loadEncode(): Promise<typeof encode> {
  return Promise.resolve(encode);
}
