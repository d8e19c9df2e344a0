import * as decode from "./decode.js";

// Static, since a chunk that is imported late may import the application's entry; see formats-tfrecord.

/** As in coders-node.ts. */
export function loadDecode(): Promise<typeof decode> {
  return Promise.resolve(decode);
}
