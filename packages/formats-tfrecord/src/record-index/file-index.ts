// Loaded by containers with the first file that is divided or read by row number.
export { findCuts } from "./find-cuts.js";
export { openRecordIndex } from "./open-record-index.js";
