// node child.js NPM_FOLDER NAME DATA_FOLDER MODEL_FOLDER: runs the checks of `native` for one package. TensorFlow is loaded into
// this process.
import path from "node:path";
import util from "node:util";
import { type BackendName, explainBackends, loadBackend } from "@tfxio/tensor-adapter/backends";
import { assertSame } from "../assert-same.js";
import { checkDatasets } from "../datasets.js";
import { checkErrors } from "../errors-leave-nothing.js";
import { openNpmFolder } from "../npm-folder.js";
import { childReporter } from "../run-in-child.js";
import { tensorCases } from "../tensor-cases.js";
import { checkTensorVectors } from "../tensor-vectors.js";
import { checkQueries } from "./queries.js";
import { ANSWERS_FILE, readAnswers } from "./saved-model-answers.js";
import { checkRecordDecoders } from "./record-decoders.js";
import { runtimeUrl } from "./runtime.js";
import { checkSavedModels, type SavedModels } from "./saved-models.js";

const [npmFolder = "", name = "", dataFolder = "", modelFolder = ""] = process.argv.slice(2);
const report = childReporter();
const { importModule } = openNpmFolder(npmFolder);
const wasLost = !("isNullOrUndefined" in util);
const loaded = await loadBackend({ prefer: name as BackendName, importModule });
const { tf } = loaded;
await report.check(`loadBackend gives ${loaded.attempts[0]?.detail}`, () => {
  if (loaded.name !== name) throw new Error(loaded.attempts.map(({ detail }) => detail).join("; "));
  const { isGPUPackage } = tf.backend() as unknown as { readonly isGPUPackage: boolean };
  assertSame(name === "tfjs-node-gpu", isGPUPackage);
});
if (loaded.name === name) {
  if (wasLost) await report.check("loadBackend restores the functions that node:util has lost", checkUtil);
  await checkTensorVectors(tf, tensorCases(), report);
  await checkErrors(tf, report);
  await checkDatasets(tf, report);
  await checkSavedModels(tf, loaded.module as unknown as SavedModels, dataFolder, report);
  const answers = await readAnswers(path.join(modelFolder, ANSWERS_FILE));
  await checkQueries(loaded, modelFolder, answers, report);
  const models = { ...loaded, url: runtimeUrl(npmFolder, name) };
  await checkRecordDecoders(models, modelFolder, answers, report);
  await report.check("explainBackends reports only this native package as usable", async () => {
    const { attempts } = await explainBackends({ tf, importModule });
    const usable = attempts.slice(0, 2).filter((attempt) => attempt.usable);
    assertSame(
      [name],
      usable.map((attempt) => attempt.name),
    );
    assertSame("tensorflow", tf.getBackend());
  });
}

/** Checks that `topk` works with the functions that loadBackend restored, and that it fails without `isNullOrUndefined`. */
function checkUtil(): void {
  const putBack = Object.getOwnPropertyDescriptor(util, "isNullOrUndefined");
  if (putBack === undefined) throw new Error("util.isNullOrUndefined is missing");
  const largest = (): unknown => tf.tidy(() => [...tf.topk(tf.tensor([3, 1, 2]), 2).values.dataSync()]);
  assertSame([3, 2], largest());
  delete (util as unknown as Record<string, unknown>)["isNullOrUndefined"];
  try {
    largest();
  } catch (error) {
    if (error instanceof TypeError) return;
    throw error;
  } finally {
    Object.defineProperty(util, "isNullOrUndefined", putBack);
  }
  throw new Error("topk must fail without util.isNullOrUndefined, but it works");
}
