import { openTfxio, type Tfxio } from "@tfxio/io";
import { chosen } from "../chosen.js";
import { interleave } from "../interleave.js";
import { type Bench, BenchError, type BenchOutput, type Measurement } from "../measurement.js";
import { criteo } from "../sets/criteo.js";
import { generateSet } from "../sets/generate.js";
import { median } from "../statistics.js";
import { formatNumber, formatTable } from "../table.js";
import { type DatasetSubject, datasetSubjects } from "./dataset-subjects.js";
import { pipelineSets, pipelineSubjects, runPipelines } from "./pipelines/pipelines.js";

const sets = [criteo];
// Each ratio is a subject's time divided by the time of this subject.
const baseline = "unshuffled";
/** Goal: maximum ratio of the processor time of `default`, which shuffles, to that of `unshuffled`. */
export const mostForShuffling = 1.5;

/** Measures the cost of shuffling a file. Also compares our pipelines, which turn rows into tensors, with those of the peers. */
export const datasetBench: Bench = {
  name: "dataset",
  about:
    "processor time to shuffle a TFRecord file; rows per second of our pipelines, tfjs-data, tf.data and grain",
  sets: [...sets, ...pipelineSets].map(({ name }) => name),
  subjects: [...datasetSubjects.map(({ name }) => name), ...pipelineSubjects],
  run: async (options, output) => {
    const measurements: Measurement[] = [];
    const subjects = chosen(datasetSubjects, options.subjects);
    for (const set of subjects.length === 0 ? [] : chosen(sets, options.sets)) {
      output.progress(`${set.name}: generating`);
      const { path, numRecords } = await generateSet(set, options.setBytes, options.cacheFolder);
      const tfxio = await openTfxio(path, { inferSchema: "first" });
      try {
        const runs = subjects.map((subject) => () => processorSeconds(subject, tfxio, numRecords));
        await interleave(runs, 1, () => output.progress("  warm-up"));
        const seconds = await interleave(runs, options.rounds, (round) =>
          output.progress(`  round ${round + 1} of ${options.rounds}`),
        );
        measurements.push(...reportTimes(set.name, subjects, seconds, output));
      } finally {
        await tfxio.close();
      }
    }
    measurements.push(...(await runPipelines(options, output)));
    return measurements;
  },
};

/**
 * Reads all rows once. Resolves to the processor time of the whole process in seconds, user plus system. This time includes
 * garbage collection, but not waiting.
 * @throws {BenchError} if the number of rows is wrong.
 */
async function processorSeconds(
  { name, pass }: DatasetSubject,
  tfxio: Tfxio,
  numRecords: number,
): Promise<number> {
  const before = process.cpuUsage();
  const numRows = await pass(tfxio);
  const { user, system } = process.cpuUsage(before);
  if (numRows !== numRecords)
    throw new BenchError(`dataset: ${name} read ${numRows} rows, expected ${numRecords}`);
  return (user + system) / 1e6;
}

/** Prints the table of a set, and returns its measurements in milliseconds. */
function reportTimes(
  set: string,
  subjects: readonly DatasetSubject[],
  seconds: readonly (readonly number[])[],
  output: BenchOutput,
): readonly Measurement[] {
  const measurements = subjects.map(({ name: subject }, index): Measurement => {
    const runs = (seconds[index] ?? []).map((time) => time * 1000);
    return { bench: "dataset", set, subject, unit: "ms", median: median(runs), runs };
  });
  const medianOf = (name: string): number | undefined =>
    measurements.find(({ subject }) => subject === name)?.median;
  const base = medianOf(baseline);
  const times = (value: number): string => (base === undefined ? "" : `${formatNumber(value / base)}×`);
  const header = ["", "ms", "ms of each run", `÷ ${baseline}`, ""];
  const rows = measurements.map((row, index) => [
    row.subject,
    formatNumber(row.median),
    row.runs.map(formatNumber).join(" "),
    times(row.median),
    subjects[index]?.about ?? "",
  ]);
  output.print(`dataset ${set}`);
  for (const line of formatTable([header, ...rows])) output.print(`  ${line}`);
  const shuffled = medianOf("default");
  if (base !== undefined && shuffled !== undefined) {
    output.print(`  goal: default ÷ ${baseline} at most ${mostForShuffling}×, measured ${times(shuffled)}`);
  }
  output.print("");
  return measurements;
}
