import type { Reporter } from "../interop.js";

/** A difference that a comparison found. */
export interface ShownDifference {
  /** The name of the block of comparisons. */
  readonly area: string;
  /** The name of the case. */
  readonly what: string;
  /** The difference in words. */
  readonly difference: string;
}

/** A known difference from foreign software. */
export interface ListedDifference {
  readonly reason: string;
  /** True for this difference and no other, as far as the text of a difference allows. */
  readonly isShownBy: (shown: ShownDifference) => boolean;
}

/** The known differences of a run, with a record of the entries that have occurred. */
export interface ListedDifferences {
  /** True if the difference is listed. Its entry then counts as seen. */
  readonly covers: (shown: ShownDifference) => boolean;
  /** Reports one check per entry. It fails if the difference was never seen, so outdated entries must be removed. */
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
        else report.failed(`listed difference: ${name}`, "no longer differs; remove it from the list");
      }
    },
  };
}
