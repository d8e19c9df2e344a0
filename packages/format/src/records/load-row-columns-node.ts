/** Loads Arrow lazily, because nothing needs it before the first plan. */
export function loadRowColumns(): Promise<typeof import("./row-columns.js")> {
  return import("./row-columns.js");
}
