import * as decode from "./decode.js";
import * as encode from "./encode.js";

// Static, because bundlers turn late imports into chunks, and such a chunk may import the application's entry. An entry
// that awaits a read at its top level would then wait for itself. Workers of one file could not have such chunks at all.

/** As in coders-node.ts. */
export function loadDecode(): Promise<typeof decode> {
  return Promise.resolve(decode);
}

/** As in coders-node.ts. */
export function loadEncode(): Promise<typeof encode> {
  return Promise.resolve(encode);
}
