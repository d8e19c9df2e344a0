import { BackendMissError, type BackendName } from "./attempt.js";
import {
  type BackendRegistry,
  type Candidate,
  type ImportModule,
  isNode,
  type Started,
} from "./candidate.js";

type NativeName = Extract<BackendName, "tfjs-node" | "tfjs-node-gpu">;

/**
 * Returns the candidate for TensorFlow's C library, which is loaded through `@tensorflow/tfjs-node` or
 * `@tensorflow/tfjs-node-gpu`. Both register the backend "tensorflow" when imported. The GPU package can fall back to the CPU.
 * `start` returns a `detail` that names the device.
 *
 * `start` works around two known defects of tfjs-node 4.22: the package calls a function that Node 23 removed from `node:util`
 * (tfjs #8425 and #8609), and negative int64 inputs of a SavedModel lose their sign. A third defect remains: int64 results are
 * tensors that are labelled int32 but hold a BigInt64Array. `@tfxio/tensor-adapter` never makes such tensors itself.
 */
export function nativeCandidate(name: NativeName): Candidate {
  const packageName = `@tensorflow/${name}`;
  return {
    name,
    packageName,
    backendName: "tensorflow",
    start: async ({ tf, importModule }): Promise<Started> => {
      if (!isNode()) throw new BackendMissError("wrong-runtime", "runs in Node only");
      await assertNotTheOther(tf, name);
      restoreRemovedUtil(process.getBuiltinModule("node:util"));
      const module = (await importModule(packageName)) as Readonly<Record<string, unknown>>;
      await keepInt64Signs(importModule, packageName);
      if (!(await tf.setBackend("tensorflow"))) {
        throw new BackendMissError("failed", "it loaded, but TensorFlow.js could not set its backend");
      }
      return { module, detail: detailOf(tf) };
    },
  };
}

/**
 * Throws if the other native package is already loaded. The second package would use the library of the first and register
 * the same kernels again.
 */
async function assertNotTheOther(tf: BackendRegistry, name: NativeName): Promise<void> {
  // `findBackendFactory` returns null for an unregistered backend, although its type says otherwise.
  if (!tf.findBackendFactory("tensorflow") || !(await tf.setBackend("tensorflow"))) return;
  const { isGPUPackage } = tf.backend() as unknown as { readonly isGPUPackage?: boolean };
  const loaded: NativeName = isGPUPackage ? "tfjs-node-gpu" : "tfjs-node";
  if (loaded === name) return;
  throw new BackendMissError(
    "failed",
    `@tensorflow/${loaded} is already loaded, and a process can load only one package with the backend "tensorflow"`,
  );
}

/**
 * Fixes the encoding of int64 inputs: tfjs-node 4.22 writes 0 into the upper 32 bits of each value, so -1 would arrive as
 * 2³² - 1. Leaves versions without the encoding function unchanged.
 */
async function keepInt64Signs(importModule: ImportModule, packageName: string): Promise<void> {
  let module: unknown;
  try {
    module = await importModule(`${packageName}/dist/int64_tensors.js`);
  } catch {
    return;
  }
  const exported = (module as { readonly default?: Record<string, unknown> }).default;
  if (exported?.["encodeInt32ArrayAsInt64"] === undefined) return;
  exported["encodeInt32ArrayAsInt64"] = (values: Int32Array): Int32Array =>
    new Int32Array(BigInt64Array.from(values, BigInt).buffer);
}

/**
 * Adds `isNullOrUndefined` and `isArray` to `node:util` if they are missing, because tfjs-node 4.22 calls them. Node 23 removed
 * `isNullOrUndefined`, and `isArray` is deprecated.
 */
export function restoreRemovedUtil(util: object): void {
  const removed: Readonly<Record<string, (value: unknown) => boolean>> = {
    isNullOrUndefined: (value) => value === null || value === undefined,
    isArray: Array.isArray,
  };
  for (const [name, replacement] of Object.entries(removed)) {
    if (!(name in util)) Object.defineProperty(util, name, { value: replacement, configurable: true });
  }
}

function detailOf(tf: BackendRegistry): string {
  const { binding, isUsingGpuDevice } = tf.backend() as unknown as {
    readonly binding?: { readonly TF_Version?: string };
    readonly isUsingGpuDevice?: boolean;
  };
  return `TensorFlow ${binding?.TF_Version ?? "of unknown version"} on the ${isUsingGpuDevice ? "GPU" : "CPU"}`;
}
