/** Settings and services for an {@link Interop}. */
export interface InteropContext {
  /** Folder for downloads and builds, outside the repository. Its files stay for later runs. */
  readonly cacheFolder: string;
  /** Folder of real data files that are not part of the repository. It may be missing. */
  readonly dataFolder: string;
  /** The Python that the user named, into which no packages are installed. Undefined to use environments in the cache. */
  readonly python: string | undefined;
  /** True if the user asked for Flink, which needs Java and 150 MB of archives. */
  readonly flink: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly report: Reporter;
}

/** Receives the findings of an {@link Interop}. `what` is the title of a check, and `why` the reason for its result. */
export interface Reporter {
  /** Runs one check. If `run` throws {@link Unavailable}, the check is skipped. If it throws another error, the check fails. */
  readonly check: (what: string, run: () => unknown) => Promise<void>;
  readonly passed: (what: string) => void;
  readonly failed: (what: string, why: string) => void;
  readonly skipped: (what: string, why: string) => void;
  /** Prints a line that is not a finding, such as the announcement of a slow step. */
  readonly note: (line: string) => void;
}

/** A group of checks against one external program or library. */
export interface Interop {
  readonly name: string;
  readonly about: string;
  /** @throws {Unavailable} if the software is unavailable. */
  readonly run: (context: InteropContext) => Promise<void>;
}

/** Thrown if external software or data cannot be obtained or started. The checks are then skipped, and do not fail. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}
