import type { Reporter } from "../interop.js";

/** A difference that a comparison found. */
export interface ShownDifference {
  /** The block of comparisons. */
  readonly area: string;
  /** The case. */
  readonly what: string;
  /** The difference in words. */
  readonly difference: string;
}

/** A difference from tfx_bsl that is known. */
export interface ListedDifference {
  readonly reason: string;
  /** True for this difference only, as far as its text distinguishes it from others. */
  readonly isShownBy: (shown: ShownDifference) => boolean;
}

/** The list for a run, and the entries that have occurred. */
export interface ListedDifferences {
  /** True when the difference is listed; the entry then counts as seen. */
  readonly covers: (shown: ShownDifference) => boolean;
  /** One check for each entry: it fails when the difference was never seen, so that the list can only shrink. */
  readonly reportSeen: (report: Reporter) => void;
}

/** Keeps account of which differences of a list were seen. */
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
