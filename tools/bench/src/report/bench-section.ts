import { owningPairs } from "../decode/owning.js";
import type { Measurement } from "../measurement.js";
import { formatNumber } from "../table.js";
import { barChart } from "./bar-chart.js";
import { cell, markdownTable, quantity } from "./markdown.js";
import { Medians } from "./medians.js";
import { sectionOf } from "./sections.js";

/** A plot of the page. `fileName` is relative to the folder of the plots. */
export interface Plot {
  readonly fileName: string;
  readonly svg: string;
}

const isOurs = (subject: string): boolean => subject === "ours" || subject.startsWith("ours:");

/** Returns the page's section on one bench: text, a plot, a table for each unit, and ratios. */
export function benchSection(
  bench: string,
  measurements: readonly Measurement[],
): { readonly lines: readonly string[]; readonly plot: Plot } {
  const rows = measurements.filter((row) => row.bench === bench);
  const { words } = sectionOf(bench);
  const units = [...new Set(rows.map(({ unit }) => unit))];
  const lines = [`## ${bench}`, ""];
  if (words !== "") lines.push(words, "");
  lines.push(`![${bench}: medians, with a separate scale for each set](benchmarks/${bench}.svg)`, "");
  for (const unit of units) {
    const rowsOfUnit = rows.filter((row) => row.unit === unit);
    lines.push(...unitTable(unit, rowsOfUnit), "");
    if (unit !== units[0]) continue;
    lines.push(...ratios(bench, rowsOfUnit));
    if (bench === "decode") lines.push(...owningLines(rowsOfUnit));
  }
  lines.push(spread(rows), "");
  return { lines, plot: { fileName: `${bench}.svg`, svg: plotOf(bench, rows) } };
}

/**
 * Returns one table row for each peer that is faster on a set than our headline subject (see {@link headlineFor}). Its cells are
 * the bench, the set, the peer, the peer's speed, our speed, our subject, and the ratio of the two speeds. Each peer is compared
 * with the headline subject for its kind of input, even if another subject of ours is faster.
 */
export function losses(measurements: readonly Measurement[]): readonly (readonly string[])[] {
  const medians = new Medians(measurements);
  return measurements.flatMap(({ bench, set, subject, unit, median }) => {
    const { bounds = [] } = sectionOf(bench);
    const headline = headlineFor(subject, bench, measurements);
    if (headline === undefined || isOurs(subject) || bounds.includes(subject)) return [];
    const ours = medians.of(bench, set, headline, unit);
    // Only the first unit is compared. The other units would repeat the comparison.
    const firstUnit = measurements.find((row) => row.bench === bench)?.unit;
    if (ours === undefined || unit !== firstUnit || median <= ours) return [];
    const speed = (value: number): string => `${formatNumber(value)} ${unit}`;
    return [
      [
        `[${bench}](#${bench})`,
        set,
        `\`${subject}\``,
        speed(median),
        speed(ours),
        `\`${headline}\``,
        `${formatNumber(median / ours)}×`,
      ],
    ];
  });
}

/**
 * Returns a bench's first headline subject that was measured; undefined if none was. Headline subjects are the subjects of ours
 * that the page compares with the peers.
 */
function headlineOf(bench: string, measurements: readonly Measurement[]): string | undefined {
  return sectionOf(bench).headline.find((name) =>
    measurements.some((row) => row.bench === bench && row.subject === name),
  );
}

/**
 * Returns the headline subject to compare with `subject`. If `subject` reads files, this is our subject for files, provided that
 * it was measured. Otherwise it is the first headline subject that was measured, if any.
 */
function headlineFor(
  subject: string,
  bench: string,
  measurements: readonly Measurement[],
): string | undefined {
  const { fromFile } = sectionOf(bench);
  const readsFile = fromFile?.others.includes(subject) === true;
  const isMeasured = measurements.some((row) => row.bench === bench && row.subject === fromFile?.headline);
  return readsFile && isMeasured ? fromFile.headline : headlineOf(bench, measurements);
}

/** Returns a table with one row per subject and one column per set. */
function unitTable(unit: string, rows: readonly Measurement[]): readonly string[] {
  const sets = namesOf(rows, "set");
  const head = quantity(0, unit).unit;
  const body = namesOf(rows, "subject").map((subject) => [
    `\`${subject}\``,
    ...sets.map((set) => {
      const row = rows.find((each) => each.set === set && each.subject === subject);
      return row === undefined ? "–" : quantity(row.median, unit).text;
    }),
  ]);
  return markdownTable([[head, ...sets], ...body]);
}

/** Returns a table for each headline subject: its speed divided by that of each subject with the same kind of input. */
function ratios(bench: string, rows: readonly Measurement[]): readonly string[] {
  const sets = namesOf(rows, "set");
  const medians = new Medians(rows);
  const subjects = namesOf(rows, "subject");
  const { fromFile } = sectionOf(bench);
  const headlines = [headlineOf(bench, rows), fromFile?.headline];
  return headlines.flatMap((headline) => {
    if (headline === undefined) return [];
    const body = subjects
      .filter((subject) => !headlines.includes(subject) && headlineFor(subject, bench, rows) === headline)
      .map((subject) => [
        `\`${subject}\``,
        ...sets.map((set) => cell(medians.ratio(bench, set, headline, [subject]), "×")),
      ]);
    return body.length === 0 ? [] : [...markdownTable([[`\`${headline}\` ÷`, ...sets], ...body]), ""];
  });
}

/** Returns a table of the speed of owned batches divided by the speed of leased ones. */
function owningLines(rows: readonly Measurement[]): readonly string[] {
  const medians = new Medians(rows);
  const sets = namesOf(rows, "set");
  const body = owningPairs.map(({ about, owned, leased }) => [
    about,
    ...sets.map((set) => cell(medians.ratio("decode", set, owned, [leased]), "×")),
  ]);
  return [...markdownTable([["owned ÷ leased", ...sets], ...body]), ""];
}

/** Returns sentences on the number of runs, and on the largest deviation from a median. */
function spread(all: readonly Measurement[]): string {
  // The median of page faults may be 0, and a deviation from 0 has no percentage.
  const rows = all.filter(({ unit }) => unit !== "faults");
  const deviation = ({ median, runs }: Measurement): number =>
    Math.max(...runs.map((run) => Math.abs(run - median))) / median;
  const [worst] = [...rows].sort((a, b) => deviation(b) - deviation(a));
  if (worst === undefined) return "";
  const numRuns = Math.min(...rows.map(({ runs }) => runs.length));
  if (numRuns === 1) return "Results of a single run.";
  const percent = Math.round(100 * deviation(worst));
  return `Medians of ${numRuns} runs. The largest deviation from a median is ${percent} % (${worst.set}, \`${worst.subject}\`).`;
}

/** Returns a plot of the medians in the first unit of each set. */
function plotOf(bench: string, rows: readonly Measurement[]): string {
  const groups = namesOf(rows, "set").map((set) => {
    const rowsOfSet = rows.filter((row) => row.set === set);
    const unit = rowsOfSet[0]?.unit ?? "";
    const bars = rowsOfSet
      .filter((row) => row.unit === unit)
      .map(({ subject, median }) => ({
        label: subject,
        value: median,
        text: quantity(median, unit).text,
        isOurs: isOurs(subject),
      }));
    return { title: `${set}, ${quantity(0, unit).unit}`, bars };
  });
  return barChart(`${bench}: medians`, groups);
}

function namesOf(rows: readonly Measurement[], key: "set" | "subject"): readonly string[] {
  return [...new Set(rows.map((row) => row[key]))];
}
