import { chosen } from "../chosen.js";
import { interleave } from "../interleave.js";
import type { Bench, BenchOutput, Measurement } from "../measurement.js";
import { median } from "../statistics.js";
import { formatNumber, formatTable } from "../table.js";
import { columnSteps, createWideData } from "./column-steps.js";

// Two sizes, to expose steps whose cost grows faster than the number of columns.
const sets = [
  { name: "5000", numColumns: 5_000 },
  { name: "50000", numColumns: 50_000 },
];

/** Measures the cost per column of each step of a program that reads data with thousands of columns. */
export const columnsBench: Bench = {
  name: "columns",
  about:
    "µs per column for each step of a program that reads two wide tf.Examples, measured once with 5000 columns and once with 50000",
  sets: sets.map(({ name }) => name),
  subjects: columnSteps.map(({ name }) => name),
  run: async (options, output) => {
    const steps = chosen(columnSteps, options.subjects);
    const measurements: Measurement[] = [];
    for (const { name: set, numColumns } of chosen(sets, options.sets)) {
      const data = await createWideData(numColumns);
      const runs = steps.map((step) => async (): Promise<number> => {
        const start = performance.now();
        await step.run(data);
        return (performance.now() - start) / 1000;
      });
      await interleave(runs, 1, () => output.progress(`${set}: warm-up`));
      const seconds = await interleave(runs, options.rounds, (round) =>
        output.progress(`  round ${round + 1} of ${options.rounds}`),
      );
      const rows = steps.map(({ name: subject }, index): Measurement => {
        const times = (seconds[index] ?? []).map((time) => (time * 1e6) / numColumns);
        return { bench: "columns", set, subject, unit: "µs/column", median: median(times), runs: times };
      });
      report(set, rows, output);
      measurements.push(...rows);
    }
    return measurements;
  },
};

function report(set: string, rows: readonly Measurement[], output: BenchOutput): void {
  output.print(`columns ${set}`);
  const lines = rows.map((row) => [
    row.subject,
    formatNumber(row.median),
    row.runs.map(formatNumber).join(" "),
  ]);
  for (const line of formatTable([["", "µs/column", "µs/column of each run"], ...lines])) {
    output.print(`  ${line}`);
  }
  output.print("");
}
