import { BackendMissError, type BackendName } from "./attempt.js";
import { type BackendRegistry, type Candidate, isNode, type Started } from "./candidate.js";

/**
 * TensorFlow's C library through `@tensorflow/tfjs-node` or `@tensorflow/tfjs-node-gpu`. Both register the backend
 * "tensorflow" as they load. The GPU package also runs without a GPU, on the CPU; `detail` tells which.
 *
 * Known of 4.22: under Node 23 and later it calls functions that `node:util` has lost, which are put back first (tfjs
 * #8425 and #8609); int64 results of a SavedModel come as tensors labelled int32 whose data is a BigInt64Array; int64
 * inputs have to be Int32Array and lose the sign of negatives. Tensors made by this package are never int64.
 */
export function nativeCandidate(name: Extract<BackendName, "tfjs-node" | "tfjs-node-gpu">): Candidate {
  const packageName = `@tensorflow/${name}`;
  return {
    name,
    packageName,
    backendName: "tensorflow",
    start: async ({ tf, importModule }): Promise<Started> => {
      if (!isNode()) throw new BackendMissError("wrong-runtime", "runs in Node only");
      restoreRemovedUtil(process.getBuiltinModule("node:util"));
      const module = (await importModule(packageName)) as Readonly<Record<string, unknown>>;
      if (!(await tf.setBackend("tensorflow"))) {
        throw new BackendMissError("failed", "it loaded, and TensorFlow.js could not set its backend");
      }
      return { module, detail: detailOf(tf) };
    },
  };
}

/** Puts `isNullOrUndefined` and `isArray` back, which tfjs-node 4.22 calls and Node 23 removed. */
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
