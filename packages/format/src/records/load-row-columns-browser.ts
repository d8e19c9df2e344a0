import * as rowColumns from "./row-columns.js";

// Static, so that bundlers make no chunk of it: such a chunk may import an entry that waits for it.

/** As in load-row-columns-node.ts. */
export function loadRowColumns(): Promise<typeof rowColumns> {
  return Promise.resolve(rowColumns);
}
