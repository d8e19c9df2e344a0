/** What an interop may use. */
export interface InteropContext {
  /** For what is downloaded or built: outside the repository, kept between runs. */
  readonly cacheFolder: string;
  /** Real data files that are not part of the repository; may not exist. */
  readonly dataFolder: string;
  /** A Python that the user named; nothing is ever installed into it. */
  readonly python: string | undefined;
  /** True if the user asked for Flink, which takes Java and 150 MB of archives. */
  readonly flink: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly report: Reporter;
}

/** Takes what an interop finds out. */
export interface Reporter {
  /** Runs one check. What it throws makes it a failure, {@link Unavailable} a skip; the next check still runs. */
  readonly check: (what: string, run: () => unknown) => Promise<void>;
  readonly passed: (what: string) => void;
  readonly failed: (what: string, why: string) => void;
  readonly skipped: (what: string, why: string) => void;
  /** Says what takes so long. */
  readonly note: (line: string) => void;
}

/** Checks against one piece of foreign software. */
export interface Interop {
  readonly name: string;
  readonly about: string;
  /** @throws {Unavailable} when the software cannot be had here. */
  readonly run: (context: InteropContext) => Promise<void>;
}

/** Foreign software, or data, that is not here and cannot be had: a skip with this reason, never a failure. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}
