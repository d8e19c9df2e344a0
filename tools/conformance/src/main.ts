import path from "node:path";
import { report } from "./report.js";
import { runCases } from "./run.js";
import { readCases, VectorFileError } from "./vector-file.js";

/** Where the repository keeps its vectors. */
export const vectorsFolder: string = path.join(import.meta.dirname, "..", "vectors");

/** How a run is started. */
export interface Invocation {
  /** Files or directories; none means all vectors of the repository. */
  readonly paths: readonly string[];
  /** What relative paths are relative to. */
  readonly from: string;
  /** Takes a line of the result. */
  readonly print: (line: string) => void;
  /** Takes a complaint about the invocation. */
  readonly complain: (line: string) => void;
}

/** Runs vector files. Gives the exit code: 0 all passed or skipped, 1 a case failed, 2 a path cannot be used. */
export async function main({ paths, from, print, complain }: Invocation): Promise<0 | 1 | 2> {
  try {
    const cases = readCases(
      paths.length > 0 ? paths.map((file) => path.resolve(from, file)) : [vectorsFolder],
    );
    const { failed } = await report(runCases(cases), print);
    return failed === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof VectorFileError)) throw error;
    complain(`conformance: ${error.message}`);
    return 2;
  }
}
