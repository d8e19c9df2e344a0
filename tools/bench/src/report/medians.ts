import type { Measurement } from "../measurement.js";

/** Looks medians up by bench, set, subject and, if a subject has several, unit. */
export class Medians {
  readonly #measurements: readonly Measurement[];

  constructor(measurements: readonly Measurement[]) {
    this.#measurements = measurements;
  }

  /** Of the first unit that the subject has, or of `unit`. */
  of(bench: string, set: string, subject: string, unit?: string): number | undefined {
    return this.#measurements.find(
      (row) =>
        row.bench === bench &&
        row.set === set &&
        row.subject === subject &&
        (unit === undefined || row.unit === unit),
    )?.median;
  }

  /** How many times `subject` is the best of `others`; undefined without it, or without any of them. */
  ratio(bench: string, set: string, subject: string, others: readonly string[]): number | undefined {
    const ours = this.of(bench, set, subject);
    const theirs = others.map((other) => this.of(bench, set, other)).filter((value) => value !== undefined);
    return ours === undefined || theirs.length === 0 ? undefined : ours / Math.max(...theirs);
  }
}
