import { type Reporter, Unavailable } from "./interop.js";

/** The result of one check. */
export interface Finding {
  readonly status: "passed" | "failed" | "skipped";
  readonly what: string;
  /** The reason, on one line; empty if the check passed. */
  readonly why: string;
}

/** Creates a reporter. Each finding goes to `take` as soon as it is known, and each note goes to `note`. */
export function createReporter(take: (finding: Finding) => void, note: (line: string) => void): Reporter {
  const finding =
    (status: Finding["status"]) =>
    (what: string, why = ""): void =>
      take({ status, what, why: why.replaceAll(/\s+/g, " ").trim() });
  const passed = finding("passed");
  const failed = finding("failed");
  const skipped = finding("skipped");
  return {
    passed,
    failed,
    skipped,
    note,
    check: async (what, run) => {
      try {
        await run();
      } catch (error) {
        if (error instanceof Unavailable) skipped(what, error.message);
        else failed(what, error instanceof Error ? `${error.name}: ${error.message}` : String(error));
        return;
      }
      passed(what);
    },
  };
}

/** Returns a reporter that adds `prefix` to the start of each finding's title. */
export function prefixed(report: Reporter, prefix: string): Reporter {
  return {
    check: (what, run) => report.check(prefix + what, run),
    passed: (what) => report.passed(prefix + what),
    failed: (what, why) => report.failed(prefix + what, why),
    skipped: (what, why) => report.skipped(prefix + what, why),
    note: report.note,
  };
}
