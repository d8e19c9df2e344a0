import type { Output } from "../measurement.js";
import type { BenchSet } from "../sets/bench-set.js";
import { median } from "../statistics.js";
import { formatNumber, formatTable } from "../table.js";
import { owningPairs } from "./owning.js";
import type { SetInput, SubjectRuns } from "./subject.js";

/**
 * Prints the table of a set: medians, page faults, runs, and the speed of our first subject divided by that of every other
 * subject. Then prints the speed of our first subject divided by that of the best JavaScript route to Arrow, and the speed
 * of owned batches divided by that of leased ones.
 */
export function printDecodeTable(
  set: BenchSet,
  { whole }: SetInput,
  runs: readonly SubjectRuns[],
  output: Output,
): void {
  const megabytes = (run: SubjectRuns): number => run.prepared.numBytes / 1e6 / median(run.seconds);
  const ours = runs.find(({ subject }) => subject.route === "ours");
  const header = [
    "",
    "MB/s",
    "records/s",
    "faults",
    "MB/s of each run",
    ...(ours ? [`${ours.subject.name} ÷`] : []),
  ];
  const rows = runs.map((run) => [
    run.subject.name,
    formatNumber(megabytes(run)),
    formatNumber(run.prepared.numRecords / median(run.seconds)),
    run.minorFaults.length > 0 ? formatNumber(median(run.minorFaults)) : "",
    run.seconds.map((seconds) => formatNumber(run.prepared.numBytes / 1e6 / seconds)).join(" "),
    ...(ours ? [run === ours ? "" : `${formatNumber(megabytes(ours) / megabytes(run))}×`] : []),
  ]);
  output.print(
    `decode ${set.name}: ${formatNumber(whole.numBytes / 1e6)} MB, ${formatNumber(whole.numRecords)} records`,
  );
  for (const line of formatTable([header, ...rows])) output.print(`  ${line}`);
  const [best] = runs
    .filter(({ subject }) => subject.route === "javascript")
    .sort((a, b) => megabytes(b) - megabytes(a));
  if (ours && best) {
    const ratio = formatNumber(megabytes(ours) / megabytes(best));
    output.print(`  ${ours.subject.name} ÷ best JavaScript route to Arrow (${best.subject.name}): ${ratio}×`);
  }
  for (const { about, owned, leased } of owningPairs) {
    const [own, lent] = [owned, leased].map((name) => runs.find(({ subject }) => subject.name === name));
    if (own && lent) {
      const ratio = formatNumber(megabytes(own) / megabytes(lent));
      output.print(`  owned ÷ leased (${about.replaceAll("`", "")}): ${ratio}×`);
    }
  }
  output.print("");
}
