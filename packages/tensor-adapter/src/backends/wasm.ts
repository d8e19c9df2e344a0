import { type BackendRegistry, type Candidate, importBackend, setOrMiss, type Started } from "./candidate.js";

const packageName = "@tensorflow/tfjs-backend-wasm";
// Names and priority as in the package.
const fileNames = ["", "-simd", "-threaded-simd"].map((kind) => `tfjs-backend-wasm${kind}.wasm`);
const PRIORITY = 2;

/** WebAssembly. Node finds the .wasm files beside the package; a browser looks beside the script, or in `wasmPaths`. */
export const wasmCandidate: Candidate = {
  name: "wasm",
  packageName,
  backendName: "wasm",
  start: async (context): Promise<Started> => {
    const { tf, wasmPaths } = context;
    const wasRegistered = isRegistered(tf);
    const module = await importBackend(context, packageName);
    // The package registers itself only once.
    if (!isRegistered(tf) && removedFactory !== undefined)
      tf.registerBackend("wasm", removedFactory, PRIORITY);
    try {
      if (wasmPaths !== undefined) setPaths(module, wasmPaths);
      await setOrMiss(context, "wasm");
    } catch (error) {
      if (!wasRegistered) remove(tf);
      forgetPaths(module);
      throw error;
    }
    return { module, detail: `WebAssembly, tfjs ${String(module["version_wasm"])}` };
  },
};

type Factory = Parameters<BackendRegistry["registerBackend"]>[1];
let removedFactory: Factory | undefined;

/** Unregisters wasm after a failed start. Otherwise TensorFlow.js could choose it when no backend is current. */
function remove(tf: BackendRegistry): void {
  if (!isRegistered(tf)) return;
  removedFactory = tf.findBackendFactory("wasm");
  tf.removeBackend("wasm");
}

function isRegistered(tf: BackendRegistry): boolean {
  // `findBackendFactory` is declared to return a function, but returns null without such a backend.
  return Boolean(tf.findBackendFactory("wasm"));
}

/** The file paths given to each module. */
const paths = new WeakMap<object, Record<string, string>>();

/**
 * Sets the paths of the .wasm files. After a failure the package rejects new paths, but the paths object passed earlier can
 * still be modified.
 */
function setPaths(module: Readonly<Record<string, unknown>>, wasmPaths: string): void {
  const given = paths.get(module) ?? {};
  for (const name of fileNames) given[name] = `${wasmPaths}${name}`;
  if (paths.has(module)) return;
  (module["setWasmPaths"] as (files: object) => void)(given);
  paths.set(module, given);
}

/** Uses the package's own lookup. */
function forgetPaths(module: object): void {
  const given = paths.get(module) ?? {};
  for (const name of fileNames) delete given[name];
}
