import { chosen } from "../../chosen.js";
import { interleave } from "../../interleave.js";
import { sustained } from "../../sustained.js";
import { BenchError, type BenchOptions, type BenchOutput, type Measurement } from "../../measurement.js";
import { reportRates } from "../../report-rates.js";
import type { ColumnSpec } from "../../sets/bench-set.js";
import { criteo } from "../../sets/criteo.js";
import { generateSet } from "../../sets/generate.js";
import { JavascriptProcesses } from "./javascript-processes.js";
import type { PipelineInput, PipelineName, PipelineSubject } from "./pipeline-subject.js";
import { PythonPipelines } from "./python-pipelines.js";

/** Size in bytes of a table row: four float32 and one int32. Used to convert `--mb` to a number of rows. */
const ROW_BYTES = 20;
/** Maximum number of table rows. */
const MOST_ROWS = 400_000;

interface PipelineSet {
  readonly name: string;
  readonly pipeline: PipelineName;
  /** Share of the table's rows to read, up to 1. */
  readonly share: number;
  /** Features to decode from the TFRecords; absent for table rows. */
  readonly columns?: readonly ColumnSpec[];
}

const numberColumns = criteo.columns.filter(({ kind }) => kind !== "bytes");

/**
 * The pipelines to run. `shuffle_quarter` reads a quarter of the rows of `shuffle`, to show that the cost per row stays the
 * same. `tfrecord_numbers` reads the records of `tfrecord` without the 26 text features, to show the cost of text.
 */
export const pipelineSets: readonly PipelineSet[] = [
  { name: "batch", pipeline: "batch", share: 1 },
  { name: "shuffle", pipeline: "shuffle", share: 1 },
  { name: "shuffle_quarter", pipeline: "shuffle", share: 0.25 },
  { name: "map", pipeline: "map", share: 1 },
  { name: "tfrecord", pipeline: "tfrecord", share: 1, columns: criteo.columns },
  { name: "tfrecord_numbers", pipeline: "tfrecord", share: 1, columns: numberColumns },
];

/** Names of all subjects, including those that cannot run on this machine. */
export const pipelineSubjects: readonly string[] = ["ours", "ours:items", "tfjs-data", "tensorflow", "grain"];

/** Measures pipelines that turn table rows or TFRecords into batches of tensors. Rates are rows per second of processor time. */
export async function runPipelines(
  options: BenchOptions,
  output: BenchOutput,
): Promise<readonly Measurement[]> {
  const sets = chosen(pipelineSets, options.sets);
  if (sets.length === 0 || !pipelineSubjects.some((name) => options.subjects?.includes(name) ?? true))
    return [];
  // This import is dynamic because the other benches do not need TensorFlow.js.
  const { javascriptSubjects } = await import("./javascript-pipelines.js");
  const javascript = new JavascriptProcesses();
  const python = new PythonPipelines(options.python);
  try {
    const all = [
      ...javascriptSubjects.map((subject) => javascript.subject(subject)),
      python.subject("tensorflow", 400_000),
      python.subject("grain", 50_000),
    ];
    const subjects = await present(chosen(all, options.subjects), output);
    const measurements: Measurement[] = [];
    for (const set of sets) measurements.push(...(await runSet(set, subjects, options, output)));
    return measurements;
  } finally {
    javascript.close();
    python.close();
  }
}

/** Prepares the subjects and returns those that can run. Prints the version of each, or the reason why it cannot run. */
async function present(
  subjects: readonly PipelineSubject[],
  output: BenchOutput,
): Promise<readonly PipelineSubject[]> {
  const found: PipelineSubject[] = [];
  for (const subject of subjects) {
    const prepared = await subject.prepare();
    if ("absent" in prepared) output.note(subject.name, `absent (${prepared.absent})`);
    else found.push(subject);
    if (!("absent" in prepared) && prepared.version !== undefined)
      output.note(subject.name, prepared.version);
  }
  return found;
}

async function runSet(
  set: PipelineSet,
  subjects: readonly PipelineSubject[],
  options: BenchOptions,
  output: BenchOutput,
): Promise<readonly Measurement[]> {
  const { name, pipeline } = set;
  const able = subjects.filter(({ pipelines }) => pipelines.includes(pipeline));
  if (able.length === 0) return [];
  const whole = await inputOf(set, options);
  const runs = able.map(
    (subject) => () => sustained(() => secondsOf(subject, pipeline, whole), options.leastSeconds),
  );
  await interleave(runs, 1, () => output.progress(`${name}: warm-up`));
  const seconds = await interleave(runs, options.rounds, (round) =>
    output.progress(`${name}: round ${round + 1} of ${options.rounds}`),
  );
  return reportRates(
    { bench: "dataset", set: name, unit: "rows/s", amount: whole.numRows },
    able,
    seconds,
    output,
  );
}

async function inputOf(
  { pipeline, share, columns }: PipelineSet,
  options: BenchOptions,
): Promise<PipelineInput> {
  if (pipeline === "tfrecord") {
    const { path, numRecords } = await generateSet(criteo, options.setBytes, options.cacheFolder);
    return { numRows: numRecords, path, columns };
  }
  return { numRows: Math.round(Math.min(MOST_ROWS, options.setBytes / ROW_BYTES) * share) };
}

/** Returns the processor time for all rows, in seconds. The time of a subject that reads fewer rows is scaled up. */
async function secondsOf(
  subject: PipelineSubject,
  pipeline: PipelineName,
  whole: PipelineInput,
): Promise<number> {
  const wanted = whole.path === undefined ? Math.min(whole.numRows, subject.mostRows) : whole.numRows;
  const { seconds, numRows } = await subject.run(pipeline, { ...whole, numRows: wanted });
  if (numRows !== wanted)
    throw new BenchError(`dataset: ${subject.name} read ${numRows} rows, expected ${wanted}`);
  return (seconds * whole.numRows) / wanted;
}
