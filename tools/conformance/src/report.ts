import type { Result } from "./run.js";

/** Number of cases with each outcome. */
export interface Summary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Prints one line per failed case as soon as it fails, then one line per reason for skipped cases, and finally the totals. */
export async function report(
  results: AsyncIterable<Result>,
  print: (line: string) => void,
): Promise<Summary> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const skips = new Map<string, number>();
  for await (const { vector, outcome } of results) {
    counts[outcome.status]++;
    if (outcome.status === "failed")
      print(`${vector.group}/${vector.name}: ${outcome.detail.replaceAll("\n", " ")}`);
    if (outcome.status === "skipped") skips.set(outcome.reason, (skips.get(outcome.reason) ?? 0) + 1);
  }
  for (const [reason, count] of skips) print(`${count} skipped, not implemented yet: ${reason}`);
  print(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts;
}
