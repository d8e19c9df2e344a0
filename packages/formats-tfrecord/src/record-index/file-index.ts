// On Node, the container loads this module when a file is first divided or read by record number.
export { findCuts } from "./find-cuts.js";
export { openRecordIndex } from "./open-record-index.js";
