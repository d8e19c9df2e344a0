// What containers load at the first file that is divided or read by number.
export { findCuts } from "./find-cuts.js";
export { openRecordIndex } from "./open-record-index.js";
