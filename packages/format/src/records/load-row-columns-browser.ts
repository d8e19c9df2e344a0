import * as rowColumns from "./row-columns.js";

// A static import, because a separate chunk could import the very entry that awaits it.

/** See load-row-columns-node.ts. */
export function loadRowColumns(): Promise<typeof rowColumns> {
  return Promise.resolve(rowColumns);
}
