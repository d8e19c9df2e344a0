import type { Measurement } from "../measurement.js";

/** Looks up medians by bench, set, subject and unit. */
export class Medians {
  readonly #measurements: readonly Measurement[];

  constructor(measurements: readonly Measurement[]) {
    this.#measurements = measurements;
  }

  /** Returns the median in `unit`, by default in the subject's first unit; undefined if it was not measured. */
  of(bench: string, set: string, subject: string, unit?: string): number | undefined {
    return this.#measurements.find(
      (row) =>
        row.bench === bench &&
        row.set === set &&
        row.subject === subject &&
        (unit === undefined || row.unit === unit),
    )?.median;
  }

  /**
   * Returns the median of `subject` divided by the highest median of `others`; undefined if `subject` was not measured, or
   * none of `others` was.
   */
  ratio(bench: string, set: string, subject: string, others: readonly string[]): number | undefined {
    const ours = this.of(bench, set, subject);
    const theirs = others.map((other) => this.of(bench, set, other)).filter((value) => value !== undefined);
    return ours === undefined || theirs.length === 0 ? undefined : ours / Math.max(...theirs);
  }
}
