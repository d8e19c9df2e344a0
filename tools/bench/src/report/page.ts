import { formatNumber } from "../table.js";
import type { RunFacts } from "../run-facts.js";
import { benchSection, losses, type Plot } from "./bench-section.js";
import { goals, outcomeOf, reasons } from "./goals.js";
import { cell, markdownTable } from "./markdown.js";
import type { MeasuredRuns } from "./measured-runs.js";
import { Medians } from "./medians.js";
import { sections } from "./sections.js";

/** docs/benchmarks.md and its plots; the same runs give the same bytes. */
export interface Page {
  readonly markdown: string;
  readonly plots: readonly Plot[];
}

/** Writes the page about `runs`. */
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
    "What was measured, on what, and how it compares. [How it is measured](guides/benchmarks.md), and how to measure it",
    "elsewhere, is a page of its own. Ratios are the result: other machines reach other numbers, and often other ratios.",
    "",
    ...factsLines(facts),
    ...goalLines(new Medians(measurements)),
    ...lossLines(losses(measurements)),
    ...parts.flatMap((part) => part.lines),
  ];
  return {
    markdown: `${lines.join("\n").trimEnd()}\n`,
    plots: parts.map((part) => part.plot),
  };
}

function factsLines(facts: readonly RunFacts[]): readonly string[] {
  const [first] = facts;
  if (first === undefined) return [];
  const { cpu, numCores, memoryBytes, system } = first.machine;
  const rows = [
    ["machine", `${numCores} cores of ${cpu}, ${formatNumber(memoryBytes / 2 ** 30)} GiB, ${system}`],
    ...Object.entries(first.versions),
    ...Object.entries(Object.assign({}, ...facts.map(({ notes }) => notes)) as RunFacts["notes"]),
  ];
  return [
    "## Machine and commands",
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

function goalLines(medians: Medians): readonly string[] {
  const results = goals.map((goal) => {
    const measured = goal.measured(medians);
    return { goal, measured, outcome: outcomeOf(goal, measured) };
  });
  const count = (outcome: string): number => results.filter((result) => result.outcome === outcome).length;
  const missed = count("missed") + count("missed, but within noise");
  const rows = results.map(({ goal, measured, outcome }, index) => [
    // Once for all sets of a goal.
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
    "They were set before anything was built, from prototypes on one machine. A miss by less than 15 %, which is what",
    "two runs on a shared machine differ by, is marked, and is a miss. G2 compares with a twin in C, which is not built.",
    "G3 is about arrow-js builders, as the prototypes were; `protobufjs` and `protobuf-es` below fill typed arrays by hand,",
    "which is faster and more work.",
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
