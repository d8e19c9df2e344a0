import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseProto } from "@tfxio/formats-protobuf";
import { chosen } from "../chosen.js";
import { interleave } from "../interleave.js";
import { type Bench, BenchError, type BenchOptions, type Measurement } from "../measurement.js";
import { reportRates } from "../report-rates.js";
import { Random } from "../sets/random.js";
import { ourQueries } from "./our-queries.js";
import { PeerQueries } from "./peer-queries.js";
import type { PreparedQuery, QueryInput } from "./query-input.js";
import { type QuerySet, querySets } from "./query-sets.js";

interface Entrant extends PreparedQuery {
  readonly name: string;
}

/** Minimum processor time of a measurement, in seconds. A measurement repeats its pass over the records to reach this time. */
const LEAST_SECONDS = 0.1;

/** Runs queries over serialized messages. Each round measures our plan and struct2tensor. */
export const struct2tensorBench: Bench = {
  name: "struct2tensor",
  about: "runs queries over serialized messages in batches of 2048; records per second of processor time",
  sets: querySets.map(({ name }) => name),
  subjects: ["ours", "struct2tensor"],
  run: async (options, output) => {
    const peer = new PeerQueries(options, output);
    const measurements: Measurement[] = [];
    const subjects = chosen([{ name: "ours" }, { name: "struct2tensor" }], options.subjects);
    try {
      for (const set of chosen(querySets, options.sets)) {
        const input = await prepareInput(set, options);
        const entrants: Entrant[] = [];
        for (const { name } of subjects) {
          const prepared = name === "ours" ? await ourQueries(input) : await peer.prepare(input);
          if (prepared !== undefined) entrants.push({ name, ...prepared });
        }
        await assertSameCounts(set, entrants);
        const runs = entrants.map((entrant) => () => timed(entrant));
        await interleave(runs, 1, () => output.progress(`${set.name}: warm-up`));
        const seconds = await interleave(runs, options.rounds, (round) =>
          output.progress(`  round ${round + 1} of ${options.rounds}`),
        );
        const work = { bench: "struct2tensor", unit: "records/s", amount: input.records.length };
        measurements.push(...reportRates({ ...work, set: set.name }, entrants, seconds, output));
      }
    } finally {
      await peer.close();
    }
    return measurements;
  },
};

/** Resolves to the mean processor time of a pass, in seconds. The passes take at least {@link LEAST_SECONDS} in total. */
async function timed(entrant: Entrant): Promise<number> {
  let total = 0;
  let numPasses = 0;
  while (total < LEAST_SECONDS) {
    total += (await entrant.run()).seconds;
    numPasses++;
  }
  return total / numPasses;
}

/** @throws {BenchError} if the subjects find different numbers of values. */
async function assertSameCounts({ name }: QuerySet, entrants: readonly Entrant[]): Promise<void> {
  const counts = await Promise.all(entrants.map(async (entrant) => (await entrant.run()).numValues));
  if (new Set(counts).size > 1) {
    const found = entrants.map((entrant, index) => `${entrant.name} ${counts[index]}`);
    throw new BenchError(
      `struct2tensor ${name}: all subjects must find the same number of values, found ${found.join(", ")}`,
    );
  }
}

async function prepareInput(
  set: QuerySet,
  { sampleBytes, setBytes, cacheFolder }: BenchOptions,
): Promise<QueryInput> {
  const random = new Random(7);
  const records: Uint8Array[] = [];
  const { messages } = set;
  for (let left = Math.min(sampleBytes, setBytes); left > 0; left -= records.at(-1)?.length ?? 0) {
    records.push(messages.record(random));
  }
  const type = await parseProto(messages.proto, messages.message);
  const file = path.join(cacheFolder, `struct2tensor-${messages.name}.records`);
  await mkdir(cacheFolder, { recursive: true });
  const framed = records.flatMap((record) => [new Uint8Array(Uint32Array.of(record.length).buffer), record]);
  const bytes = Buffer.concat(framed);
  await writeFile(file, bytes);
  // The records are views of one buffer, as a file reader would return them.
  let end = 0;
  const views = records.map(({ length }) => {
    const start = end + 4;
    end = start + length;
    return new Uint8Array(bytes.buffer, bytes.byteOffset + start, length);
  });
  return { set, records: views, type, path: file };
}
