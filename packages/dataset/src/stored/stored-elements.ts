// Reads and writes files of elements. Loaded on demand.
export { blockOfLeaves } from "./decode-elements.js";
export { storedRowsOf } from "./leaf-rows.js";
export { assertNothingStored, readManifest, readStored, StoredWriter } from "./stored-folder.js";
