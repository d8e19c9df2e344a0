import { openTfxio } from "@tfxio/io";
import type { RecordBatch } from "apache-arrow";
import { chosen } from "../chosen.js";
import { schemaOf } from "../decode/our-subjects.js";
import { interleave } from "../interleave.js";
import { type Bench, BenchError, type Measurement } from "../measurement.js";
import { reportRates } from "../report-rates.js";
import type { BenchSet } from "../sets/bench-set.js";
import { criteo } from "../sets/criteo.js";
import { generateSet, type SetFile } from "../sets/generate.js";
import { ragged } from "../sets/ragged.js";
import { taxi } from "../sets/taxi.js";
import { wide } from "../sets/wide.js";
import { shardFile } from "./shard-file.js";

const sets = [criteo, taxi, wide, ragged];
const numShards = 4;
/** Number of timed epochs. An untimed first epoch starts the threads and warms up their code. */
const numTimedEpochs = 3;

const places = [
  { name: "ours:2-workers", workers: 2 },
  { name: "ours:1-worker", workers: 1 },
  { name: "ours:calling-thread", workers: 0 },
];
const subjects = [
  ...places.map((place) => ({ ...place, isLeased: false })),
  ...places.map(({ name, workers }) => ({ name: `${name}-leased`, workers, isLeased: true })),
];

/** Reads four TFRecord files into owned and into leased record batches. The calling thread or worker threads decode them. */
export const threadsBench: Bench = {
  name: "threads",
  about: "decodes four TFRecord files into record batches on the calling thread or on worker threads",
  sets: sets.map(({ name }) => name),
  subjects: subjects.map(({ name }) => name),
  run: async (options, output) => {
    const measurements: Measurement[] = [];
    const measured = chosen(subjects, options.subjects);
    for (const set of chosen(sets, options.sets)) {
      output.progress(`${set.name}: generating`);
      const file = await generateSet(set, options.setBytes, options.cacheFolder);
      const shards = await shardFile(file, numShards);
      const contenders = measured.map(
        ({ workers, isLeased }) =>
          () =>
            secondsOfEpochs(shards, set, file, workers, isLeased),
      );
      const seconds = await interleave(contenders, options.rounds, (round) =>
        output.progress(`  round ${round + 1} of ${options.rounds}`),
      );
      const amount = (file.numBytes * numTimedEpochs) / 1e6;
      measurements.push(
        ...reportRates({ bench: "threads", set: set.name, unit: "MB/s", amount }, measured, seconds, output),
      );
    }
    return measurements;
  },
};

/** Returns the seconds from the last batch of the first epoch to the end of the last epoch. */
async function secondsOfEpochs(
  shards: readonly string[],
  set: BenchSet,
  file: SetFile,
  workers: number,
  isLeased: boolean,
): Promise<number> {
  const tfxio = await openTfxio(shards, { schema: schemaOf(set.columns) });
  const options = { workers, numEpochs: 1 + numTimedEpochs };
  let numRows = 0;
  let start = Number.NaN;
  const count = (batch: RecordBatch): void => {
    numRows += batch.numRows;
    if (numRows === file.numRecords) start = performance.now();
  };
  if (isLeased) {
    for await (const lease of tfxio.leasedBatches(options)) {
      count(lease.batch);
      lease.release();
    }
  } else {
    for await (const batch of tfxio.recordBatches(options)) count(batch);
  }
  const seconds = (performance.now() - start) / 1000;
  await tfxio.close();
  const expected = file.numRecords * (1 + numTimedEpochs);
  if (numRows === expected && seconds > 0) return seconds;
  const problem =
    numRows === expected
      ? "no batch ends where the first epoch ends"
      : `decoded ${numRows} rows, expected ${expected}`;
  throw new BenchError(`threads ${set.name}: ${problem} (workers: ${workers})`);
}
