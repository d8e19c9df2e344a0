/** Imports `own-batch`, and with it apache-arrow, only when the first writer needs it. */
export function loadOwnBatch(): Promise<typeof import("./own-batch.js")> {
  return import("./own-batch.js");
}
