// Everything about files of elements, which programs load when they use one.
export { blockOfLeaves } from "./decode-elements.js";
export { storedRowsOf } from "./leaf-rows.js";
export { assertNothingStored, readManifest, readStored, StoredWriter } from "./stored-folder.js";
