import { type BackendRegistry, type Candidate, importBackend, setOrMiss, type Started } from "./candidate.js";

const packageName = "@tensorflow/tfjs-backend-wasm";
// The package's file names, and the priority with which it registers its backend.
const fileNames = ["", "-simd", "-threaded-simd"].map((kind) => `tfjs-backend-wasm${kind}.wasm`);
const PRIORITY = 2;

/**
 * WebAssembly. Without `wasmPaths`, the .wasm files are loaded from the package in Node, and from the folder of the page's script
 * in browsers.
 */
export const wasmCandidate: Candidate = {
  name: "wasm",
  packageName,
  backendName: "wasm",
  start: async (context): Promise<Started> => {
    const { tf, wasmPaths } = context;
    const wasRegistered = isRegistered(tf);
    const module = await importBackend(context, packageName);
    // The package registers its backend only on the first import, so register it again after a removal.
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
  // `findBackendFactory` returns null for an unregistered backend, although its type says otherwise.
  return Boolean(tf.findBackendFactory("wasm"));
}

/** For each imported wasm package, the object with file paths that was passed to it. */
const paths = new WeakMap<object, Record<string, string>>();

/**
 * Sets the paths of the .wasm files. After a failed start the package rejects new paths, but the object that it received
 * earlier can still be modified.
 */
function setPaths(module: Readonly<Record<string, unknown>>, wasmPaths: string): void {
  const given = paths.get(module) ?? {};
  for (const name of fileNames) given[name] = `${wasmPaths}${name}`;
  if (paths.has(module)) return;
  (module["setWasmPaths"] as (files: object) => void)(given);
  paths.set(module, given);
}

/** Clears the paths, so that the package looks for its files in the default places again. */
function forgetPaths(module: object): void {
  const given = paths.get(module) ?? {};
  for (const name of fileNames) delete given[name];
}
