import * as decode from "./decode.js";
import * as encode from "./encode.js";

// These imports are static, because bundlers make a chunk of each dynamic import, and that chunk may import the application's
// entry. An entry with a top-level await of a read would then wait for itself. Workers in one file cannot load chunks at all.

/** As in coders-node.ts. */
export function loadDecode(): Promise<typeof decode> {
  return Promise.resolve(decode);
}

/** As in coders-node.ts. */
export function loadEncode(): Promise<typeof encode> {
  return Promise.resolve(encode);
}
