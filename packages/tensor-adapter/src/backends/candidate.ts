import type { TensorFlowModule } from "../tensors/tensorflow.js";
import { BackendMissError, type BackendName } from "./attempt.js";

/** The part of TensorFlow.js that keeps backends. */
export type BackendRegistry = Pick<
  TensorFlowModule,
  "backend" | "findBackendFactory" | "getBackend" | "registerBackend" | "removeBackend" | "setBackend"
>;

/** Loads a module by its name, as `import()` does. */
export type ImportModule = (specifier: string) => Promise<unknown>;

/** What a candidate may use. */
export interface CandidateContext {
  readonly tf: BackendRegistry;
  readonly importModule: ImportModule;
  readonly wasmPaths: string | undefined;
}

/** A backend that is loaded and current. */
export interface Started {
  /** The backend package's exports. */
  readonly module: Readonly<Record<string, unknown>>;
  /** One line about what runs. */
  readonly detail: string;
  /** The TensorFlow.js to work with on this backend. Default: the one that was given. */
  readonly tf?: BackendRegistry;
  /** Undoes what loading did besides registering a backend. Absent when that is nothing. */
  readonly release?: () => void;
}

/** A backend that may be there. */
export interface Candidate {
  readonly name: BackendName;
  readonly packageName: string;
  /** The name under which TensorFlow.js knows it. */
  readonly backendName: string;
  /** Loads it and makes it current. Throws what went wrong, and then leaves nothing registered that it added itself. */
  start(context: CandidateContext): Promise<Started>;
}

/** True in Node, and in runtimes that claim to be it. */
export function isNode(): boolean {
  return typeof process !== "undefined" && process.versions?.node !== undefined;
}

/** The exports of a backend's package. */
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
    "it loaded, and TensorFlow.js could not set its backend (see its warning)",
  );
}
