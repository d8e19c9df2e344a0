import * as ownBatch from "./own-batch.js";

// The import is static for the reason that `load-row-columns-browser.ts` gives.

/** Returns `own-batch`, which is imported statically in browsers. */
export function loadOwnBatch(): Promise<typeof ownBatch> {
  return Promise.resolve(ownBatch);
}
