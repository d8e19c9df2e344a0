import * as decode from "./decode.js";
import * as encode from "./encode.js";

// Static, since bundlers make a chunk of what is imported late, and that chunk may import the application's entry. An entry
// that awaits a read at its top level would then wait for itself. Workers of one file could not have such chunks at all.

/** As in coders-node.ts. */
export function loadDecode(): Promise<typeof decode> {
  return Promise.resolve(decode);
}

/** As in coders-node.ts. */
export function loadEncode(): Promise<typeof encode> {
  return Promise.resolve(encode);
}
