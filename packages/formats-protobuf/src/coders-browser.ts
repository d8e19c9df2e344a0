import * as decode from "./decode.js";
import * as descriptors from "./descriptor/index.js";
import * as encode from "./encode.js";

// Static imports. Bundlers turn a dynamic import into a chunk, which may import the application's entry. An entry that awaits a
// read at its top level would then deadlock. Single-file workers cannot have such chunks at all.

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
