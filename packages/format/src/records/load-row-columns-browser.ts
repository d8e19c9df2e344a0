import * as rowColumns from "./row-columns.js";

// The import is static, because a bundler could make `row-columns` a separate chunk that imports the entry that waits for it.

/** The browser counterpart of load-row-columns-node.ts. */
export function loadRowColumns(): Promise<typeof rowColumns> {
  return Promise.resolve(rowColumns);
}
