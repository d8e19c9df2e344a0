import type { Reporter } from "../interop.js";

/** A difference that a comparison found. */
export interface ShownDifference {
  /** The name of the block of comparisons. */
  readonly area: string;
  /** The name of the case. */
  readonly what: string;
  /** Text that describes the difference. */
  readonly difference: string;
}

/** A known difference between our results and those of external software. */
export interface ListedDifference {
  /** Says what each side does. The report prints this text. */
  readonly reason: string;
  /** Returns true only if `shown` is this difference. */
  readonly isShownBy: (shown: ShownDifference) => boolean;
}

/** The known differences, and a record of those that a run has seen. */
export interface ListedDifferences {
  /** Returns true if the difference is listed, and records that its entry was seen. */
  readonly covers: (shown: ShownDifference) => boolean;
  /** Reports one check per entry. The check fails if the difference was not seen, so that outdated entries are removed. */
  readonly reportSeen: (report: Reporter) => void;
}

/** Starts a record of the listed differences that a run has seen. */
export function createListedDifferences(list: Readonly<Record<string, ListedDifference>>): ListedDifferences {
  const seen = new Set<string>();
  return {
    covers: (shown) => {
      const entry = Object.entries(list).find(([, { isShownBy }]) => isShownBy(shown));
      if (entry !== undefined) seen.add(entry[0]);
      return entry !== undefined;
    },
    reportSeen: (report) => {
      for (const [name, { reason }] of Object.entries(list)) {
        if (seen.has(name)) report.passed(`listed difference: ${name} (${reason})`);
        else
          report.failed(
            `listed difference: ${name}`,
            "this run did not show it; if it no longer occurs, remove it from the list",
          );
      }
    },
  };
}
