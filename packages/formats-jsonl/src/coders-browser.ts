import * as decode from "./decode.js";
import * as encode from "./encode.js";

// Static imports. Bundlers turn a dynamic import into a chunk, which may import the application's entry. An entry that awaits a
// read at its top level would then deadlock. Single-file workers cannot have such chunks at all.

/** Returns the bundled decoder. The Node variant in coders-node.ts imports it on first use. */
export function loadDecode(): Promise<typeof decode> {
  return Promise.resolve(decode);
}

/** Returns the bundled encoder. The Node variant in coders-node.ts imports it on first use. */
export function loadEncode(): Promise<typeof encode> {
  return Promise.resolve(encode);
}
