import { formatNumber } from "../table.js";
import type { RunFacts } from "../run-facts.js";
import { benchSection, losses, type Plot } from "./bench-section.js";
import { endToEndLines } from "./end-to-end.js";
import { goals, outcomeOf, reasons } from "./goals.js";
import { cell, markdownTable } from "./markdown.js";
import type { MeasuredRuns } from "./measured-runs.js";
import { Medians } from "./medians.js";
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
    "This page compares the speed of TFXIO for JavaScript with that of the tools that people use today. [The",
    "guide](guides/benchmarks.md) explains the method and how to measure on your machine. Read the ratios first. Other machines have",
    "other absolute numbers, and often other ratios.",
    "",
    ...machineLines(facts),
    ...endToEndLines(measurements),
    ...lossLines(losses(measurements)),
    ...goalLines(new Medians(measurements)),
    ...parts.flatMap((part) => part.lines),
    ...factsLines(facts),
  ];
  return {
    markdown: `${lines.join("\n").trimEnd()}\n`,
    plots: parts.map((part) => part.plot),
  };
}

/** Returns a sentence on the machine, which is the same for all runs. */
function machineLines([first]: readonly RunFacts[]): readonly string[] {
  if (first === undefined) return [];
  const { cpu, numCores, memoryBytes, system } = first.machine;
  const memory = formatNumber(memoryBytes / 2 ** 30);
  return [
    `Measured on ${numCores} cores of ${cpu}, ${memory} GiB, ${system}; Node ${first.versions["node"]}.`,
    "",
  ];
}

/** Returns the lines on versions, notes and commands of the runs. */
function factsLines(facts: readonly RunFacts[]): readonly string[] {
  const [first] = facts;
  if (first === undefined) return [];
  const rows = [
    ...Object.entries(first.versions),
    ...Object.entries(Object.assign({}, ...facts.map(({ notes }) => notes)) as RunFacts["notes"]),
  ];
  return [
    "## Versions and commands",
    "",
    ...rows.map(([name, text]) => `- ${name}: ${text}`),
    "",
    ...facts.flatMap(({ date, command, commit, machine }) => [
      `${date}, commit ${commit}, load before the start ${machine.loadBefore.toFixed(2)}:`,
      "",
      "```sh",
      command,
      "```",
      "",
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
    "G2 to G12 were set before the library was built, from prototypes on one machine. At first, a program with libprotobuf stood",
    "in for tfx_bsl. When tfx_bsl replaced it, G1 got a new bound and G13 was added. G4 keeps the bound that was set for the program.",
    "Each goal from G14 on was set when its bench was written. On a shared machine, medians often differ by up to 15 % when they",
    "are measured again. A miss by less than that is marked, but it is still a miss. G2 compares with a decoder in C, which was",
    "not built. The peers of G3 use arrow-js builders, like the prototypes. `protobufjs` and `protobuf-es` below fill typed arrays,",
    "which is faster but takes more code.",
    "",
    `**${count("met")} met, ${missed} missed, ${count("not measured")} not measured.**`,
    "",
    ...markdownTable([["goal", "set", "wanted", "measured", ""], ...rows]),
    "",
    ...explained.flatMap(([id, reason]) => [`${id}: ${reason}`, ""]),
  ];
}

function lossLines(lines: readonly string[]): readonly string[] {
  const none = "No peer was faster at the same work.";
  return ["## Where we lose", "", ...(lines.length > 0 ? lines : [none]), ""];
}
