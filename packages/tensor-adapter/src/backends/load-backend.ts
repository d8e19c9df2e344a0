import { ArgumentError, UnsupportedError } from "@tfxio/wire";
import type { TensorFlowModule } from "../tensors/tensorflow.js";
import { type BackendAttempt, type BackendName, missOf } from "./attempt.js";
import type { BackendRegistry, Candidate, CandidateContext, ImportModule, Started } from "./candidate.js";
import { cpuCandidate } from "./cpu.js";
import { hold, inTurn } from "./holds.js";
import { importModule as importHere } from "./import-module.js";
import { nativeCandidate } from "./native.js";
import { wasmCandidate } from "./wasm.js";
import { webgpuCandidate } from "./webgpu.js";
import { aFunction, aString, assertOptions, rule, type OptionRules } from "@tfxio/wire/checks";
import { aTensorFlow } from "../argument-rules.js";

/** Every backend, fastest first. */
export const candidates: readonly Candidate[] = [
  nativeCandidate("tfjs-node-gpu"),
  nativeCandidate("tfjs-node"),
  webgpuCandidate,
  wasmCandidate,
  cpuCandidate,
];

/** Options of {@link loadBackend}. */
export interface LoadBackendOptions<Tf extends BackendRegistry = TensorFlowModule> {
  /** Backends to try first, in this order, before the others. Default: none. */
  readonly prefer?: BackendName | readonly BackendName[] | undefined;
  /** The application's TensorFlow.js. Default: imports `@tensorflow/tfjs-core`. */
  readonly tf?: Tf | undefined;
  /**
   * Folder or URL of the wasm backend's files, with a trailing slash. Default: in Node, the folder of the backend's package; in
   * browsers, the folder of the page's script.
   */
  readonly wasmPaths?: string | undefined;
  /**
   * Imports a package by name. Default: `import()` within this package. Pass `(name) => import(name)` if a strict package
   * manager hides your dependencies from this package.
   */
  readonly importModule?: ImportModule | undefined;
}

/** A backend that {@link loadBackend} made current. */
export interface LoadedBackend<Tf extends BackendRegistry = TensorFlowModule> {
  readonly name: BackendName;
  /** The backend's name in TensorFlow.js: "tensorflow", "webgpu", "wasm" or "cpu". */
  readonly backendName: string;
  /**
   * The given or imported TensorFlow.js, to pass to `toTensors`. On WebGPU, if that TensorFlow.js has the function `tensor`, this
   * is a copy of it with the kernels of `withDeviceLayouts`.
   */
  readonly tf: Tf;
  /** Exports of the backend's package, such as `node.loadSavedModel` of tfjs-node. */
  readonly module: Readonly<Record<string, unknown>>;
  /** All attempts, ending with this backend. */
  readonly attempts: readonly BackendAttempt[];
  /**
   * Undoes the load. If this backend is still current, the previous one is restored, unless it is no longer registered. For
   * WebGPU in Node, the release removes the backend, all its tensors and `navigator.gpu`. Other backends stay registered. If a
   * backend was loaded several times, nothing happens until every load is released. Safe to call twice.
   */
  release(): void;
}

/**
 * Loads the best TensorFlow.js backend that is installed and works, and makes it current. The default order is native
 * TensorFlow on a GPU, native TensorFlow on the CPU, WebGPU, WebAssembly, plain JavaScript. Every package is optional and is
 * imported only when its backend is tried. Concurrent loads run one after the other, and the backend of the last one stays
 * current.
 * @throws {UnsupportedError} `unsupported` (`no-backend`) if TensorFlow.js cannot be imported, or if no backend works. In the
 * second case, the message has the reason for each backend, and the previous backend is current again.
 * @throws {ArgumentError} `invalid-argument` (`unknown-backend`).
 */
export async function loadBackend<Tf extends BackendRegistry = TensorFlowModule>(
  options: LoadBackendOptions<Tf> = {},
): Promise<LoadedBackend<Tf>> {
  assertOptions("loadBackend", options, { ...CONTEXT_RULES, prefer: null });
  const order = inOrder(options.prefer);
  return inTurn(() => firstUsable(order, options));
}

async function firstUsable<Tf extends BackendRegistry>(
  order: readonly Candidate[],
  options: LoadBackendOptions<Tf>,
): Promise<LoadedBackend<Tf>> {
  const context = await contextOf(options);
  const { tf } = context;
  const before = tf.getBackend() || undefined;
  const attempts: BackendAttempt[] = [];
  const causes: unknown[] = [];
  for (const candidate of order) {
    const { name, backendName } = candidate;
    const { attempt, started, cause } = await tryBackend(candidate, context);
    attempts.push(attempt);
    if (started !== undefined) {
      const release = hold(tf, backendName, before, started.release);
      return { name, backendName, tf: (started.tf ?? tf) as Tf, module: started.module, attempts, release };
    }
    causes.push(cause);
  }
  if (before) await tf.setBackend(before);
  const reasons = attempts.map(({ name, detail }) => `${name}: ${detail}`).join("; ");
  throw new UnsupportedError(`No TensorFlow.js backend can be used. ${reasons}.`, {
    reason: "no-backend",
    feature: "a TensorFlow.js backend",
    cause: new AggregateError(causes, "the error of each backend"),
  });
}

/** Tries one backend, and makes it current if it works. */
export async function tryBackend(
  candidate: Candidate,
  context: CandidateContext,
): Promise<{ readonly attempt: BackendAttempt; readonly started?: Started; readonly cause?: unknown }> {
  const { name, packageName } = candidate;
  try {
    const started = await candidate.start(context);
    return { attempt: { name, packageName, usable: true, detail: started.detail }, started };
  } catch (error) {
    const { reason, message } = missOf(error, packageName);
    return { attempt: { name, packageName, usable: false, reason, detail: message }, cause: error };
  }
}

/** Rules for the options of {@link contextOf}. */
export const CONTEXT_RULES: OptionRules<Omit<LoadBackendOptions<BackendRegistry>, "prefer">> = {
  tf: aTensorFlow("setBackend", "getBackend", "findBackendFactory", "registerBackend"),
  wasmPaths: rule("a folder or URL", aString.holds),
  importModule: aFunction,
};

/**
 * Returns the context in which candidates start, with the given or imported TensorFlow.js.
 * @throws {UnsupportedError} `unsupported` (`no-backend`) if TensorFlow.js itself cannot be imported.
 */
export async function contextOf(options: LoadBackendOptions<BackendRegistry>): Promise<CandidateContext> {
  const { importModule = importHere, wasmPaths, tf } = options;
  if (tf !== undefined) return { tf, importModule, wasmPaths };
  try {
    return { tf: (await importModule("@tensorflow/tfjs-core")) as BackendRegistry, importModule, wasmPaths };
  } catch (error) {
    const { message } = missOf(error, "@tensorflow/tfjs-core");
    throw new UnsupportedError(`TensorFlow.js (@tensorflow/tfjs-core) cannot be used: ${message}.`, {
      reason: "no-backend",
      feature: "a TensorFlow.js backend",
      cause: error,
    });
  }
}

function inOrder(prefer: BackendName | readonly BackendName[] = []): readonly Candidate[] {
  const preferred = [prefer].flat().map((name) => {
    const candidate = candidates.find((each) => each.name === name);
    if (candidate !== undefined) return candidate;
    const known = candidates.map((each) => each.name).join(", ");
    throw new ArgumentError("invalid-argument", `Unknown backend "${name}"; the backends are ${known}.`, {
      reason: "unknown-backend",
      argument: "prefer",
    });
  });
  return [...new Set([...preferred, ...candidates])];
}
