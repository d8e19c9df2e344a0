import * as decode from "./decode.js";
import * as descriptors from "./descriptor/index.js";
import * as encode from "./encode.js";

// The imports are static because bundlers turn a dynamic import into a chunk, and a chunk may import the application's entry. If
// that entry awaits a read at its top level, the chunk and the entry wait for each other. Single-file workers cannot load chunks
// at all.

/** Returns the decoder, like `loadDecode` of coders-node.ts. */
export function loadDecode(): Promise<typeof decode> {
  return Promise.resolve(decode);
}

/** Returns the encoder, like `loadEncode` of coders-node.ts. */
export function loadEncode(): Promise<typeof encode> {
  return Promise.resolve(encode);
}

/** Returns the lookup of message types, like `loadDescriptors` of coders-node.ts. */
export function loadDescriptors(): Promise<typeof descriptors> {
  return Promise.resolve(descriptors);
}
