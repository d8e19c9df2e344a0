// On Node, the container loads this module when it first divides a file or reads records by number.
export { findCuts } from "./find-cuts.js";
export { openRecordIndex } from "./open-record-index.js";
