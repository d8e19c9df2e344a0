import * as decode from "./decode.js";
import * as encode from "./encode.js";

// Imported statically. Bundlers turn a dynamic import into a chunk, and that chunk may import the application's entry. An entry
// that awaits a read at its top level would then wait for itself. Workers in a single file cannot have chunks.

/** As in coders-node.ts. */
export function loadDecode(): Promise<typeof decode> {
  return Promise.resolve(decode);
}

/** As in coders-node.ts. */
export function loadEncode(): Promise<typeof encode> {
  return Promise.resolve(encode);
}
