/** Imports `row-columns`, and with it apache-arrow, only when the first plan needs it. */
export function loadRowColumns(): Promise<typeof import("./row-columns.js")> {
  return import("./row-columns.js");
}
