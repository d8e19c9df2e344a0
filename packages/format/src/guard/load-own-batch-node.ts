/** Imports `own-batch`, and with it apache-arrow, on demand. */
export function loadOwnBatch(): Promise<typeof import("./own-batch.js")> {
  return import("./own-batch.js");
}
