import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { plainRows } from "@tfxio/arrow-encoding";
import { decodeRecords } from "@tfxio/format";
import { parseProto, protobufPayload } from "@tfxio/formats-protobuf";
import type { Data, RecordBatch } from "apache-arrow";
import { chosen } from "../chosen.js";
import { interleave } from "../interleave.js";
import { sustained } from "../sustained.js";
import {
  type Bench,
  BenchError,
  type BenchOptions,
  type BenchOutput,
  type Measurement,
} from "../measurement.js";
import { reportRates } from "../report-rates.js";
import { Random } from "../sets/random.js";
import { type MessageSet, messageSets } from "./message-sets.js";
import { protobufEsMessages, protobufjsMessages } from "./object-messages.js";
import { ourFile, ourRecords } from "./our-messages.js";
import type { PreparedProto, ProtoInput, ProtoSubject } from "./proto-subject.js";
import { PythonMessages, pythonReaders } from "./python-messages.js";

type Entrant = PreparedProto & { readonly name: string };

const inProcess: readonly ProtoSubject[] = [ourFile, ourRecords, protobufEsMessages, protobufjsMessages];

/** Decodes serialized messages to nested columns. Each round measures every subject once. */
export const protoBench: Bench = {
  name: "proto",
  about: "decodes serialized messages to nested record batches of 4096 rows on one thread; MB/s of messages",
  sets: messageSets.map(({ name }) => name),
  subjects: [...inProcess.map(({ name }) => name), ...pythonReaders],
  run: async (options, output) => {
    const peers = pythonReaders.map((reader) => new PythonMessages(reader, options, output));
    const subjects = chosen([...inProcess, ...peers.map(({ subject }) => subject)], options.subjects);
    const measurements: Measurement[] = [];
    try {
      for (const set of chosen(messageSets, options.sets)) {
        const input = await prepareInput(set, options);
        const entrants = await prepareAll(set, subjects, input, output);
        const runs = entrants.map((entrant) => () => sustained(() => entrant.run(), options.leastSeconds));
        await interleave(runs, 1, () => output.progress(`${set.name}: warm-up`));
        const seconds = await interleave(runs, options.rounds, (round) =>
          output.progress(`  round ${round + 1} of ${options.rounds}`),
        );
        const numBytes = input.records.reduce((sum, { length }) => sum + length, 0);
        const work = { bench: "proto", set: set.name, unit: "MB/s", amount: numBytes / 1e6 };
        measurements.push(...reportRates(work, entrants, seconds, output));
      }
    } finally {
      for (const peer of peers) await peer.close();
    }
    return measurements;
  },
};

async function prepareInput(
  set: MessageSet,
  { sampleBytes, setBytes, cacheFolder }: BenchOptions,
): Promise<ProtoInput> {
  const random = new Random(7);
  const records: Uint8Array[] = [];
  for (let left = Math.min(sampleBytes, setBytes); left > 0; left -= records.at(-1)?.length ?? 0) {
    records.push(set.record(random));
  }
  const type = await parseProto(set.proto, set.message);
  const { arrowSchema } = await decodeRecords(protobufPayload(type));
  if (arrowSchema === undefined) throw new BenchError(`${set.name}: the message type has no Arrow schema`);
  const file = path.join(cacheFolder, `proto-${set.name}.records`);
  await mkdir(cacheFolder, { recursive: true });
  const lengths = records.map(({ length }) => new Uint8Array(Uint32Array.of(length).buffer));
  await writeFile(
    file,
    Buffer.concat(records.flatMap((record, index) => [lengths[index] as Uint8Array, record])),
  );
  return { records, type, arrowSchema, path: file };
}

/**
 * Prepares the subjects that can run, and checks their results. A subject in this process must decode the first 500 rows to the
 * expected values. All subjects must find the expected number of values.
 */
async function prepareAll(
  set: MessageSet,
  subjects: readonly ProtoSubject[],
  input: ProtoInput,
  output: BenchOutput,
): Promise<readonly Entrant[]> {
  const entrants: Entrant[] = [];
  const decoder = await decodeRecords(protobufPayload(input.type));
  const expected = [decoder.decode(input.records).batch];
  const rows = checkedRows(expected);
  for (const subject of subjects) {
    const { name } = subject;
    const prepared = await subject.prepare(input);
    if ("absent" in prepared) {
      output.note(name, `absent (${prepared.absent})`);
      continue;
    }
    const decoded = await prepared.decoded();
    const numValues = "numValues" in decoded ? decoded.numValues : countValues(decoded);
    if (numValues !== countValues(expected)) {
      throw new BenchError(
        `proto ${set.name}: ${name} found ${numValues} values, expected ${countValues(expected)}`,
      );
    }
    if (!("numValues" in decoded) && !isDeepStrictEqual(checkedRows(decoded), rows)) {
      throw new BenchError(`proto ${set.name}: ${name} found different values`);
    }
    entrants.push({ name, ...prepared });
  }
  return entrants;
}

/** Returns the rows to compare: the first 500 rows of the first batch. */
function checkedRows([first]: readonly RecordBatch[]): readonly object[] {
  return first === undefined ? [] : [...plainRows(first)].slice(0, 500);
}

/** Returns the number of values in all leaves. */
function countValues(batches: readonly RecordBatch[]): number {
  const count = ({ children, length }: Data): number =>
    children.length === 0 ? length : children.reduce((sum, child) => sum + count(child), 0);
  return batches.reduce((sum, { data }) => sum + count(data), 0);
}
