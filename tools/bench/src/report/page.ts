import { formatNumber } from "../table.js";
import type { RunFacts } from "../run-facts.js";
import { benchSection, losses, type Plot } from "./bench-section.js";
import { endToEndLines } from "./end-to-end.js";
import { goals, outcomeOf, reasons } from "./goals.js";
import { cell, markdownTable } from "./markdown.js";
import type { MeasuredRuns } from "./measured-runs.js";
import { Medians } from "./medians.js";
import { otherDataLines } from "./other-data.js";
import { sections } from "./sections.js";

/** The content of docs/benchmarks.md and of its plots. The same measured runs always produce the same bytes. */
export interface Page {
  readonly markdown: string;
  readonly plots: readonly Plot[];
}

/** Creates the page from measured runs. Writes no files. */
export function benchmarksPage({ measurements, facts }: MeasuredRuns): Page {
  const measured = new Set(measurements.map(({ bench }) => bench));
  const known = sections.map(({ bench }) => bench);
  const benches = [
    ...known.filter((bench) => measured.has(bench)),
    ...[...measured].filter((bench) => !known.includes(bench)),
  ];
  const parts = benches.map((bench) => benchSection(bench, measurements));
  const lines = [
    "# Benchmarks",
    "",
    "<!-- Written by `pnpm bench report`; edit tools/bench/src/report instead. -->",
    "",
    "This page compares the speed of TFXIO for JavaScript with that of the tools that people use today. On other machines, the",
    "speeds differ, and often so do their ratios. [The guide](guides/benchmarks.md) explains how to measure on your machine.",
    "",
    "A *set* is one kind of data. A *subject* is one way to do the work: ours, or that of a *peer*, which is another tool.",
    "",
    ...machineLines(facts),
    ...endToEndLines(measurements),
    ...otherDataLines(measurements),
    ...lossLines(losses(measurements)),
    ...parts.flatMap((part) => part.lines),
    ...goalLines(new Medians(measurements)),
    ...factsLines(facts),
  ];
  return {
    markdown: `${lines.join("\n").trimEnd()}\n`,
    plots: parts.map((part) => part.plot),
  };
}

/** Returns sentences on the machine, which is the same for all runs, and on its load. */
function machineLines(facts: readonly RunFacts[]): readonly string[] {
  const [first] = facts;
  if (first === undefined) return [];
  const { cpu, numCores, memoryBytes, system } = first.machine;
  const memory = formatNumber(memoryBytes / 2 ** 30);
  const loads = facts.map(({ machine }) => machine.loadBefore);
  const [least, most] = [Math.min(...loads), Math.max(...loads)].map((load) => load.toFixed(2));
  const range = least === most ? `${least}` : `between ${least} and ${most}`;
  return [
    `Measured on ${numCores} cores (${cpu}) with ${memory} GiB of memory, on ${system} with Node ${first.versions["node"]}. The load`,
    `average of the minute before each run was ${range}. On a quiet machine, it is about 0.`,
    "",
  ];
}

/** Returns the lines on the versions in the first run's facts, and on the command and the notes of each run. */
function factsLines(facts: readonly RunFacts[]): readonly string[] {
  const [first] = facts;
  if (first === undefined) return [];
  // Two runs may use different versions of a peer, so the versions of peers are listed for each run.
  const list = (versions: Readonly<Record<string, string>>): readonly string[] => {
    const items = Object.entries(versions).map(([name, text]) => `- ${name}: ${text}`);
    return items.length === 0 ? [] : [...items, ""];
  };
  return [
    "## Versions and commands",
    "",
    ...list(first.versions),
    "Further versions that a run recorded are listed below its command.",
    "",
    ...facts.flatMap(({ date, command, commit, machine, notes }) => [
      `${date}, commit ${commit}, load ${machine.loadBefore.toFixed(2)}:`,
      "",
      "```sh",
      command,
      "```",
      "",
      ...list(notes),
    ]),
  ];
}

/** Returns the lines on all goals: a summary, a table, and the known reasons for missed goals. */
function goalLines(medians: Medians): readonly string[] {
  const results = goals.map((goal) => {
    const measured = goal.measured(medians);
    return { goal, measured, outcome: outcomeOf(goal, measured) };
  });
  const count = (outcome: string): number => results.filter((result) => result.outcome === outcome).length;
  const missed = count("missed") + count("missed, but within noise");
  const rows = results.map(({ goal, measured, outcome }, index) => [
    // Only the first row of a goal names it.
    goal.about === results[index - 1]?.goal.about ? "" : `${goal.id} ${goal.about}`,
    goal.set,
    `${goal.bound === "at-least" ? "≥" : "≤"} ${formatNumber(goal.wanted)}${goal.unit}`,
    cell(measured, goal.unit),
    outcome === "missed" ? "**missed**" : outcome,
  ]);
  const missedIds = new Set(
    results.filter(({ outcome }) => outcome.startsWith("missed")).map(({ goal }) => goal.id),
  );
  const explained = Object.entries(reasons).filter(([id]) => missedIds.has(id));
  return [
    "## Goals",
    "",
    "The goals are numbered G1 to G25, without a G2. On a shared machine, medians often differ by up to 15 % when they are",
    "measured again. A goal that is missed by at most 15 % is marked as within noise, but still counts as missed. Notes below",
    "the table give the reasons for misses, where they are known. In G3, the peers use the builders of arrow-js. Filling typed",
    "arrays is faster, but takes more code.",
    "",
    `**${count("met")} met, ${missed} missed, ${count("not measured")} not measured.**`,
    "",
    ...markdownTable([["goal", "set", "wanted", "measured", ""], ...rows]),
    "",
    ...explained.flatMap(([id, reason]) => [`${id}: ${reason}`, ""]),
  ];
}

/** Returns the lines on the peers that are faster. `rows` is the result of {@link losses}. */
function lossLines(rows: readonly (readonly string[])[]): readonly string[] {
  const none = "No other tool was faster at the same work.";
  const header = [
    "section",
    "data",
    "faster tool",
    "its speed",
    "our speed",
    "our subject",
    "tool's speed ÷ our speed",
  ];
  return [
    "## Where another tool is faster",
    "",
    ...(rows.length > 0 ? markdownTable([header, ...rows]) : [none]),
    "",
  ];
}
