import * as rowColumns from "./row-columns.js";

// The import is static, because a bundler could make `row-columns` a separate chunk that imports the entry that waits for it.

/** Returns `row-columns`, which is imported statically in browsers. */
export function loadRowColumns(): Promise<typeof rowColumns> {
  return Promise.resolve(rowColumns);
}
