import * as decode from "./decode.js";
import * as descriptors from "./descriptor/index.js";
import * as encode from "./encode.js";

// Static imports, since a dynamically imported chunk may import the application's entry; see formats-tfrecord.

/** As in coders-node.ts. */
export function loadDecode(): Promise<typeof decode> {
  return Promise.resolve(decode);
}

/** As in coders-node.ts. */
export function loadEncode(): Promise<typeof encode> {
  return Promise.resolve(encode);
}

/** As in coders-node.ts. */
export function loadDescriptors(): Promise<typeof descriptors> {
  return Promise.resolve(descriptors);
}
