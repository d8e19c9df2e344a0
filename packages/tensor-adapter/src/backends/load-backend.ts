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
  /** Tried first, in this order; the others follow in theirs. Default none. */
  readonly prefer?: BackendName | readonly BackendName[] | undefined;
  /** The application's TensorFlow.js. Default: `@tensorflow/tfjs-core`, imported. */
  readonly tf?: Tf | undefined;
  /** Folder or URL, ending in a slash, of the wasm backend's files. Default: beside its package or the page's script. */
  readonly wasmPaths?: string | undefined;
  /**
   * How packages are imported. Default: as seen from this package. Give `(name) => import(name)` of your own where a
   * strict package manager shows your packages to your modules only.
   */
  readonly importModule?: ImportModule | undefined;
}

/** A backend that {@link loadBackend} made current. */
export interface LoadedBackend<Tf extends BackendRegistry = TensorFlowModule> {
  readonly name: BackendName;
  /** TensorFlow.js's own name of it: "tensorflow", "webgpu", "wasm" or "cpu". */
  readonly backendName: string;
  /**
   * The TensorFlow.js that was given or imported: hand it to `toTensors`. On WebGPU it is a copy that has the kernels of
   * `withDeviceLayouts`.
   */
  readonly tf: Tf;
  /** Exports of the backend's package: those of tfjs-node have `node.loadSavedModel`, for one. */
  readonly module: Readonly<Record<string, unknown>>;
  /** What was tried, this backend last. */
  readonly attempts: readonly BackendAttempt[];
  /**
   * Takes away what loading added besides a registered backend, and makes the backend current again that was so before,
   * if this one still is. Only WebGPU in Node has added something: the backend with all its tensors, and `navigator.gpu`.
   * Of several loads of one backend only the last release does anything. Safe to call twice.
   */
  release(): void;
}

/**
 * Loads the best TensorFlow.js backend that is installed and works, and makes it current: native TensorFlow on a GPU,
 * on the CPU, WebGPU, WebAssembly, plain JavaScript. Every package is optional and imported only when its turn comes.
 * Loads run one after the other, so that of several at once the last is current at the end.
 * @throws {UnsupportedError} `unsupported` (`no-backend`) with the reason of each when none works; the backend that was
 * current before is current again.
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
    cause: new AggregateError(causes, "what each backend threw"),
  });
}

/** Tries one backend; when it works, it is current. */
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

/** What the options of a {@link CandidateContext} must be. */
export const CONTEXT_RULES: OptionRules<Omit<LoadBackendOptions<BackendRegistry>, "prefer">> = {
  tf: aTensorFlow("setBackend", "getBackend", "findBackendFactory", "registerBackend"),
  wasmPaths: rule("a folder or URL", aString.holds),
  importModule: aFunction,
};

/** @throws {UnsupportedError} `unsupported` (`no-backend`) when TensorFlow.js itself cannot be imported. */
export async function contextOf(options: LoadBackendOptions<BackendRegistry>): Promise<CandidateContext> {
  const { importModule = importHere, wasmPaths, tf } = options;
  if (tf !== undefined) return { tf, importModule, wasmPaths };
  try {
    return { tf: (await importModule("@tensorflow/tfjs-core")) as BackendRegistry, importModule, wasmPaths };
  } catch (error) {
    const { message } = missOf(error, "@tensorflow/tfjs-core");
    throw new UnsupportedError(`TensorFlow.js cannot be used: @tensorflow/tfjs-core: ${message}.`, {
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
    throw new ArgumentError("invalid-argument", `There is no backend "${name}"; there are ${known}.`, {
      reason: "unknown-backend",
      argument: "prefer",
    });
  });
  return [...new Set([...preferred, ...candidates])];
}
