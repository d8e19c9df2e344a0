/** Settings and services for an interop. */
export interface InteropContext {
  /** Folder for downloads and builds, outside the repository. Kept between runs. */
  readonly cacheFolder: string;
  /** Real data files that are not part of the repository; may not exist. */
  readonly dataFolder: string;
  /** The Python that the user named, if any. Nothing is ever installed into it. */
  readonly python: string | undefined;
  /** True if the user asked for Flink, which needs Java and 150 MB of archives. */
  readonly flink: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly report: Reporter;
}

/** Receives the findings of an interop. */
export interface Reporter {
  /** Runs one check. If it throws, the check fails, or is skipped for {@link Unavailable}. The next check still runs. */
  readonly check: (what: string, run: () => unknown) => Promise<void>;
  readonly passed: (what: string) => void;
  readonly failed: (what: string, why: string) => void;
  readonly skipped: (what: string, why: string) => void;
  /** Prints a line that is not a finding, such as the announcement of a slow step. */
  readonly note: (line: string) => void;
}

/** Checks against one piece of foreign software. */
export interface Interop {
  readonly name: string;
  readonly about: string;
  /** @throws {Unavailable} if the software is unavailable. */
  readonly run: (context: InteropContext) => Promise<void>;
}

/** Foreign software or data that is missing and cannot be fetched. Causes a skip with this reason, never a failure. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}
