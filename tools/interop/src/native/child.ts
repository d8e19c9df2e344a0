// node child.js NPM_FOLDER DATA_FOLDER: the checks of `native`, in the process that loads TensorFlow.
import { loadBackend } from "@tfxio/tensor-adapter/backends";
import { checkAdapterVectors } from "../adapter-vectors.js";
import { openNpmFolder } from "../npm-folder.js";
import { childReporter } from "../run-in-child.js";
import { checkSavedModels, type SavedModels } from "./saved-models.js";

const [npmFolder = "", dataFolder = ""] = process.argv.slice(2);
const report = childReporter();
const { importModule } = openNpmFolder(npmFolder);
const loaded = await loadBackend({ prefer: "tfjs-node", importModule });
await report.check(`loadBackend gives ${loaded.attempts[0]?.detail}`, () => {
  if (loaded.backendName !== "tensorflow")
    throw new Error(loaded.attempts.map(({ detail }) => detail).join("; "));
});
if (loaded.backendName === "tensorflow") {
  await checkAdapterVectors(loaded.tf, report);
  await checkSavedModels(loaded.tf, loaded.module as unknown as SavedModels, dataFolder, report);
}
