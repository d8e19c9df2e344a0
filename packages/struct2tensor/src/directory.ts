// An entry for Node only. It saves DataViews to directories, loads them, and reads the files of SavedModels. The main entry
// encodes and decodes DataViews in memory.
export { loadDataView, readSavedModel, saveDataView } from "./saved/directory-node.js";
