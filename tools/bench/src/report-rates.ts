import type { Measurement, Output } from "./measurement.js";
import { median } from "./statistics.js";
import { formatNumber, formatTable } from "./table.js";

/**
 * Converts seconds to rates. Prints medians, runs, and the speed of the first subject divided by that of each of the others.
 * @param work The work that each run does. If `unit` is `MB/s`, for example, `amount` is the number of MB in one run.
 * @param seconds The seconds of each run: one list for each subject, in the order of `subjects`.
 */
export function reportRates(
  work: { readonly bench: string; readonly set: string; readonly unit: string; readonly amount: number },
  subjects: readonly { readonly name: string }[],
  seconds: readonly (readonly number[])[],
  output: Output,
): readonly Measurement[] {
  const { bench, set, unit, amount } = work;
  const measurements = subjects.map(({ name }, index): Measurement => {
    const runs = (seconds[index] ?? []).map((time) => amount / time);
    return { bench, set, subject: name, unit, median: median(runs), runs };
  });
  const first = measurements[0];
  const rows = measurements.map((row) => [
    row.subject,
    formatNumber(row.median),
    row.runs.map(formatNumber).join(" "),
    row === first || first === undefined ? "" : `${formatNumber(first.median / row.median)}×`,
  ]);
  output.print(`${bench} ${set}`);
  const header = ["", unit, `${unit} of each run`, `${first?.subject ?? ""} ÷`];
  for (const line of formatTable([header, ...rows])) output.print(`  ${line}`);
  output.print("");
  return measurements;
}
