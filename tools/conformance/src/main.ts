import path from "node:path";
import { type BackendName, loadBackend } from "@tfxio/tensor-adapter/backends";
import { isTfxioError } from "@tfxio/wire";
import { backend as onBackend } from "./places/backend.js";
import type { Place } from "./places/place.js";
import { report } from "./report.js";
import { runCases } from "./run.js";
import { readCases, VectorFileError } from "./vector-file.js";

/** Absolute path of the folder with the repository's test vectors. */
export const vectorsFolder: string = path.join(import.meta.dirname, "..", "vectors");

/** Arguments of {@link main}. */
export interface Invocation {
  /** Paths of files or directories. If empty, all test vectors of the repository run. */
  readonly paths: readonly string[];
  /** The TensorFlow.js backend that creates tensors. By default, tensors are host columns, without TensorFlow.js. */
  readonly backend?: string | undefined;
  /** The folder against which relative paths are resolved. */
  readonly from: string;
  /** Prints one line of the result. */
  readonly print: (line: string) => void;
  /** Prints the error if the exit code is 2. */
  readonly complain: (line: string) => void;
}

/**
 * Runs vector files and resolves to the exit code: 0 if all cases passed or were skipped, 1 if a case failed, 2 if a path or the
 * backend cannot be used.
 */
export async function main(invocation: Invocation): Promise<0 | 1 | 2> {
  const { paths, from, print, complain } = invocation;
  try {
    const cases = readCases(
      paths.length > 0 ? paths.map((file) => path.resolve(from, file)) : [vectorsFolder],
    );
    const where = await placeOf(invocation.backend);
    const { failed } = await report(runCases(cases, where), print);
    where.release();
    return failed === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof VectorFileError || error instanceof BackendError)) throw error;
    complain(`conformance: ${error.message}`);
    return 2;
  }
}

/** Thrown if the backend does not exist or cannot run on this machine. The exit code is then 2. */
class BackendError extends Error {
  override readonly name = "BackendError";
}

/** Loads a backend. @throws {BackendError} if it does not exist or cannot run. */
async function placeOf(name: string | undefined): Promise<{ place?: Place; release: () => void }> {
  if (name === undefined) return { release: () => {} };
  const loaded = await loadBackend({ prefer: name as BackendName }).catch((error: unknown) => {
    throw isTfxioError(error, "invalid-argument", "unsupported") ? new BackendError(error.message) : error;
  });
  const [attempt] = loaded.attempts;
  if (attempt?.usable !== true) {
    loaded.release();
    throw new BackendError(`backend ${name} cannot be used: ${attempt?.detail}`);
  }
  // Without production mode, the cpu backend prints an advertisement for the native backend.
  loaded.tf.enableProdMode();
  return { place: onBackend(loaded.tf), release: () => loaded.release() };
}
