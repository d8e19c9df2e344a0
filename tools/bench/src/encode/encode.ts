import { readFile } from "node:fs/promises";
import { createExampleDecoder } from "@tfxio/arrow-encoding";
import type { RecordBatch } from "apache-arrow";
import { chosen } from "../chosen.js";
import { BatchDigester, checkDigests, type DecodeDigest } from "../decode/column-digest.js";
import { schemaOf } from "../decode/our-subjects.js";
import { batchRows } from "../decode/subject.js";
import { FRAMING_BYTES } from "../decode/tf-record-payloads.js";
import { interleave } from "../interleave.js";
import {
  type Bench,
  BenchError,
  type BenchOptions,
  type BenchOutput,
  type Measurement,
} from "../measurement.js";
import { reportRates } from "../report-rates.js";
import { allSets } from "../sets/all-sets.js";
import type { BenchSet } from "../sets/bench-set.js";
import { generateSet } from "../sets/generate.js";
import type { EncodeInput, EncodeSubject, PreparedEncoding } from "./encode-subject.js";
import { ourEncoding } from "./our-encoding.js";
import { protobufEsEncoding } from "./protobuf-es-encoding.js";
import { protobufjsEncoding } from "./protobufjs-encoding.js";
import { PythonEncoding, pythonEncodings } from "./python-encoding.js";

type Entrant = PreparedEncoding & { readonly name: string };

const sets = chosen(allSets, ["criteo", "taxi", "ragged"]);
const inProcess: readonly EncodeSubject[] = [ourEncoding, protobufjsEncoding, protobufEsEncoding];

/** Encodes record batches as serialized tf.Examples. Each round runs every subject once. */
export const encodeBench: Bench = {
  name: "encode",
  about: "encodes record batches of 4096 rows as serialized tf.Examples on one thread",
  sets: sets.map(({ name }) => name),
  subjects: [...inProcess, ...pythonEncodings].map(({ name }) => name),
  run: async (options, output) => {
    const peers = pythonEncodings.map((encoding) => new PythonEncoding(encoding, options, output));
    const subjects = chosen([...inProcess, ...peers.map(({ subject }) => subject)], options.subjects);
    const measurements: Measurement[] = [];
    try {
      for (const set of chosen(sets, options.sets)) {
        const input = await prepareInput(set, options);
        const { entrants, numBytes } = await prepareAll(subjects, input, output);
        const runs = entrants.map((entrant) => () => entrant.run());
        await interleave(runs, 1, () => output.progress(`${set.name}: warm-up`));
        const seconds = await interleave(runs, options.rounds, (round) =>
          output.progress(`  round ${round + 1} of ${options.rounds}`),
        );
        const work = { bench: "encode", set: set.name };
        measurements.push(
          ...reportRates({ ...work, unit: "MB/s", amount: numBytes / 1e6 }, entrants, seconds, output),
          ...reportRates({ ...work, unit: "records/s", amount: input.numRecords }, entrants, seconds, output),
        );
      }
    } finally {
      for (const peer of peers) await peer.close();
    }
    return measurements;
  },
};

async function prepareInput(set: BenchSet, options: BenchOptions): Promise<EncodeInput> {
  const size = Math.min(options.sampleBytes, options.setBytes);
  const { path, numRecords } = await generateSet(set, size, options.cacheFolder);
  return { set, path, numRecords, batches: decode(set, await readFile(path)) };
}

/** Prepares the subjects that can run, and checks that each subject's records decode to the input batches. */
async function prepareAll(
  subjects: readonly EncodeSubject[],
  input: EncodeInput,
  output: BenchOutput,
): Promise<{ readonly entrants: readonly Entrant[]; readonly numBytes: number }> {
  const { set } = input;
  const expected = digestOf(set, input.batches);
  const entrants: Entrant[] = [];
  let numBytes = 0;
  for (const subject of subjects) {
    const { name } = subject;
    const prepared = await subject.prepare(input);
    if ("absent" in prepared) {
      output.note(name, `absent (${prepared.absent})`);
      continue;
    }
    const records = await prepared.records();
    const batches =
      "tfRecords" in records ? decode(set, records.tfRecords) : [decoderOf(set).decode(records)];
    const findings = checkDigests(expected, digestOf(set, batches));
    if (findings.length > 0) {
      throw new BenchError(
        `encode ${set.name}: ${name} changed the data: ${findings.slice(0, 5).join("; ")}`,
      );
    }
    if (numBytes === 0) {
      numBytes =
        "tfRecords" in records
          ? records.tfRecords.length - FRAMING_BYTES * input.numRecords
          : records.reduce((total, { length }) => total + length, 0);
    }
    entrants.push({ name, ...prepared });
  }
  return { entrants, numBytes };
}

function digestOf(set: BenchSet, batches: readonly RecordBatch[]): DecodeDigest {
  const digester = new BatchDigester(set);
  for (const batch of batches) digester.add(batch);
  return digester.digest();
}

const decoderOf = ({ columns }: BenchSet): ReturnType<typeof createExampleDecoder> =>
  createExampleDecoder({ schema: schemaOf(columns) });

function decode(set: BenchSet, bytes: Uint8Array): readonly RecordBatch[] {
  const decoder = decoderOf(set);
  const window = { uri: "bench", bytes, firstRecordIndex: 0, byteOffset: 0 };
  const batches: RecordBatch[] = [];
  for (let from = 0; from < bytes.length; ) {
    const limits = { maxRows: batchRows, maxBytes: Infinity };
    const framing = { verifyPayload: true, maxRecordBytes: 0x4000_0000 };
    from += decoder.pushFramed(window, from, limits, framing).consumed;
    batches.push(decoder.finish());
  }
  return batches;
}
