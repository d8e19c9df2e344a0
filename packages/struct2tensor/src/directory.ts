// Views on disk, in Node. The main entry has them as files in memory.
export { loadDataView, readSavedModel, saveDataView } from "./saved/directory-node.js";
