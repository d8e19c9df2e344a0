import type { TensorFlowModule } from "../tensors/tensorflow.js";
import { BackendMissError, type BackendName } from "./attempt.js";

/** The part of TensorFlow.js that manages backends. */
export type BackendRegistry = Pick<
  TensorFlowModule,
  "backend" | "findBackendFactory" | "getBackend" | "registerBackend" | "removeBackend" | "setBackend"
>;

/** Loads a module by name, like `import()`. */
export type ImportModule = (specifier: string) => Promise<unknown>;

/** The arguments of a candidate's start. */
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
  /** The TensorFlow.js to use with this backend. Default: the given one. */
  readonly tf?: BackendRegistry;
  /** Undoes side effects of loading other than registering the backend. Absent if there are none. */
  readonly release?: () => void;
}

/** A backend that may be available. */
export interface Candidate {
  readonly name: BackendName;
  readonly packageName: string;
  /** Its name in TensorFlow.js. */
  readonly backendName: string;
  /** Loads it and makes it current. On failure, throws the problem and unregisters what it registered. */
  start(context: CandidateContext): Promise<Started>;
}

/** True in Node, and in runtimes that claim to be Node. */
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

/** Makes a registered backend current. @throws {BackendMissError} */
export async function setOrMiss({ tf }: CandidateContext, backendName: string): Promise<void> {
  if (await tf.setBackend(backendName)) return;
  throw new BackendMissError(
    "failed",
    "it loaded, but TensorFlow.js could not set its backend (see its warning)",
  );
}
