import * as rowColumns from "./row-columns.js";

// The import is static. Bundlers turn a dynamic import into a chunk, which may import the application's entry. An entry that
// awaits a read at its top level would then deadlock.

/** Returns `row-columns`, which is imported statically in browsers. */
export function loadRowColumns(): Promise<typeof rowColumns> {
  return Promise.resolve(rowColumns);
}
