import type { TensorFlowModule } from "../tensors/tensorflow.js";
import { BackendMissError, type BackendName } from "./attempt.js";

/** The part of TensorFlow.js that manages backends. */
export type BackendRegistry = Pick<
  TensorFlowModule,
  "backend" | "findBackendFactory" | "getBackend" | "registerBackend" | "removeBackend" | "setBackend"
>;

/** Loads a module by name, like `import()`. */
export type ImportModule = (specifier: string) => Promise<unknown>;

/** Arguments of {@link Candidate.start}. */
export interface CandidateContext {
  readonly tf: BackendRegistry;
  readonly importModule: ImportModule;
  readonly wasmPaths: string | undefined;
}

/** A backend that is loaded and current. */
export interface Started {
  /** The backend package's exports. */
  readonly module: Readonly<Record<string, unknown>>;
  /** One line that describes the running backend. */
  readonly detail: string;
  /** The TensorFlow.js to use with this backend. Default: the one in the context. */
  readonly tf?: BackendRegistry;
  /** Undoes the load and unregisters the backend. Absent if nothing needs to be undone; the backend then stays registered. */
  readonly release?: () => void;
}

/** A backend that may be available. */
export interface Candidate {
  readonly name: BackendName;
  readonly packageName: string;
  /** The backend's name in TensorFlow.js. */
  readonly backendName: string;
  /** Loads the backend and makes it current. If that fails, throws the cause; WebGPU and wasm unregister what they registered. */
  start(context: CandidateContext): Promise<Started>;
}

/** True in Node, and in runtimes that report a Node version, such as Bun. */
export function isNode(): boolean {
  return typeof process !== "undefined" && process.versions?.node !== undefined;
}

/** Returns the exports of a backend's package. */
export async function importBackend(
  { importModule }: CandidateContext,
  packageName: string,
): Promise<Readonly<Record<string, unknown>>> {
  return (await importModule(packageName)) as Readonly<Record<string, unknown>>;
}

/** Makes a registered backend current. @throws {BackendMissError} `failed` if TensorFlow.js rejects it. */
export async function setOrMiss({ tf }: CandidateContext, backendName: string): Promise<void> {
  if (await tf.setBackend(backendName)) return;
  throw new BackendMissError(
    "failed",
    "it loaded, but TensorFlow.js could not set its backend (see the warning on the console)",
  );
}
