/** The functions that read and write files of elements. */
export type Stored = typeof import("./stored-elements.js");

/** Loads these functions on demand, so that programs that store nothing never load them. */
export function loadStored(): Promise<Stored> {
  return import("./stored-elements.js");
}
