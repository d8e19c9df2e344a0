/** The functions that read and write files of elements. */
export type Stored = typeof import("./stored-elements.js");

/** Programs that store nothing do not load it. */
export function loadStored(): Promise<Stored> {
  return import("./stored-elements.js");
}
