// node child.js NPM_FOLDER: runs the checks of `webgpu`. Dawn is loaded into this process.
import { loadBackend } from "@tfxio/tensor-adapter/backends";
import { tensorCases } from "../tensor-cases.js";
import { checkTensorVectors } from "../tensor-vectors.js";
import { checkDatasets } from "../datasets.js";
import { checkErrors } from "../errors-leave-nothing.js";
import { Unavailable } from "../interop.js";
import { openNpmFolder } from "../npm-folder.js";
import { childReporter } from "../run-in-child.js";
import { checkExactWords } from "./exact-words.js";
import { checkKernels } from "./kernels.js";
import { checkLayouts } from "./layouts.js";

const [npmFolder = ""] = process.argv.slice(2);
const report = childReporter();
const { importModule } = openNpmFolder(npmFolder);
const loaded = await loadBackend({ prefer: "webgpu", importModule }).catch((error: unknown) => {
  report.failed("loadBackend", String(error));
});
const attempt = loaded?.attempts[0];
if (attempt !== undefined)
  await report.check(`loadBackend gives WebGPU: ${attempt.detail}`, () => {
    if (attempt.reason === "no-adapter") throw new Unavailable(attempt.detail);
    if (!attempt.usable) throw new Error(attempt.reason);
  });
if (attempt?.usable && loaded) {
  await checkTensorVectors(loaded.tf, tensorCases(), report);
  await checkErrors(loaded.tf, report);
  await checkDatasets(loaded.tf, report);
  await checkKernels(loaded.tf, report);
  await checkLayouts(loaded.tf, report);
  await checkExactWords(loaded.tf, report);
  await report.check("WebGPU can be loaded again after its release", async () => {
    loaded.release();
    const again = await loadBackend({ prefer: "webgpu", importModule });
    const [value] = await again.tf.square(again.tf.scalar(3)).data();
    again.release();
    if (again.name !== "webgpu" || value !== 9)
      throw new Error(`the square of 3 must be 9 on webgpu, found ${value} on ${again.name}`);
  });
}
