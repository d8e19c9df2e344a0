import { BackendMissError } from "./attempt.js";
import type { Candidate, CandidateContext, Started } from "./candidate.js";

/** WebAssembly. Node finds the .wasm files beside the package; a browser looks beside the script, or in `wasmPaths`. */
export const wasmCandidate: Candidate = {
  name: "wasm",
  packageName: "@tensorflow/tfjs-backend-wasm",
  backendName: "wasm",
  start: async (context): Promise<Started> => {
    const module = await importBackend(context, "@tensorflow/tfjs-backend-wasm");
    if (context.wasmPaths !== undefined) {
      (module["setWasmPaths"] as (prefix: string) => void)(context.wasmPaths);
    }
    await setOrMiss(context, "wasm");
    return { module, detail: `WebAssembly, tfjs ${String(module["version_wasm"])}` };
  },
};

/** Plain JavaScript: slow, and it works everywhere. */
export const cpuCandidate: Candidate = {
  name: "cpu",
  packageName: "@tensorflow/tfjs-backend-cpu",
  backendName: "cpu",
  start: async (context): Promise<Started> => {
    const module = await importBackend(context, "@tensorflow/tfjs-backend-cpu");
    await setOrMiss(context, "cpu");
    return { module, detail: `plain JavaScript, tfjs ${String(module["version_cpu"])}` };
  },
};

async function importBackend(
  { importModule }: CandidateContext,
  packageName: string,
): Promise<Readonly<Record<string, unknown>>> {
  return (await importModule(packageName)) as Readonly<Record<string, unknown>>;
}

async function setOrMiss({ tf }: CandidateContext, backendName: string): Promise<void> {
  if (await tf.setBackend(backendName)) return;
  throw new BackendMissError(
    "failed",
    "it loaded, and TensorFlow.js could not set its backend (see its warning)",
  );
}
