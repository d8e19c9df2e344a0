import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { ArgumentError } from "@tfxio/wire";
import type { Output } from "../measurement.js";
import { readMeasuredRuns } from "./measured-runs.js";
import { benchmarksPage } from "./page.js";
import { recordedRuns } from "./recorded-runs.js";

/**
 * Writes `benchmarks.md` and `benchmarks/*.svg` in `docsFolder`.
 * @param named Files that `--json` wrote; empty to use the recorded files in `docsFolder`.
 * @throws {ArgumentError} `invalid-argument` if there are no files.
 * @throws {BenchError} if a file or its facts cannot be read, or the runs come from different machines.
 */
export async function writeReport(
  named: readonly string[],
  docsFolder: string,
  output: Output,
): Promise<void> {
  const files = named.length > 0 ? named : await recordedRuns(docsFolder);
  if (files.length === 0) {
    throw new ArgumentError("invalid-argument", "report: expected files that --json wrote, found none", {
      argument: "FILE",
    });
  }
  const { markdown, plots } = benchmarksPage(await readMeasuredRuns(files));
  const plotFolder = path.join(docsFolder, "benchmarks");
  await mkdir(plotFolder, { recursive: true });
  for (const { fileName, svg } of plots) await writeFile(path.join(plotFolder, fileName), svg);
  const page = path.join(docsFolder, "benchmarks.md");
  await writeFile(page, markdown);
  output.print(`wrote ${page} and ${plots.length} plots`);
}
