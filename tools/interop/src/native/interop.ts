import path from "node:path";
import type { Interop } from "../interop.js";
import { npmFolder } from "../npm-folder.js";
import { runInChild } from "../run-in-child.js";
import { buildAddon, tensorflowLibrary } from "./addon.js";

/** TensorFlow's C library through tfjs-node, whose addon is built here, as its own download may be out of reach. */
export const native: Interop = {
  name: "native",
  about: "the tensor adapter's vectors and SavedModels on TensorFlow's own C library",
  run: async (context) => {
    const { cacheFolder, dataFolder, environment, report } = context;
    const { folder } = await npmFolder(cacheFolder, "npm-native", [
      "@tensorflow/tfjs-node@4.22.0",
      "node-api-headers@1.9.0",
    ]);
    await buildAddon(folder, await tensorflowLibrary(cacheFolder, report.note), report.note);
    await runInChild(path.join(import.meta.dirname, "child.js"), [folder, dataFolder], environment, report);
  },
};
