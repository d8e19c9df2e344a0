// Saves and loads views as directories; Node only. The main entry handles the same files in memory.
export { loadDataView, readSavedModel, saveDataView } from "./saved/directory-node.js";
