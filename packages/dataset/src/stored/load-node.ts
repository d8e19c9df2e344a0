/** The module that reads and writes files of elements. */
export type Stored = typeof import("./stored-elements.js");

/** Loads the module on demand, so that programs that store nothing never load it. */
export function loadStored(): Promise<Stored> {
  return import("./stored-elements.js");
}
