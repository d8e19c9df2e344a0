// Saves views to directories and loads them, on Node only. The main entry encodes and decodes the same files in memory.
export { loadDataView, readSavedModel, saveDataView } from "./saved/directory-node.js";
