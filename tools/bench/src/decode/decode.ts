import { readFile } from "node:fs/promises";
import {
  type Bench,
  BenchError,
  type BenchOptions,
  type BenchOutput,
  type Measurement,
  type Output,
} from "../measurement.js";
import { interleave } from "../interleave.js";
import { allSets } from "../sets/all-sets.js";
import type { BenchSet } from "../sets/bench-set.js";
import { generateSet } from "../sets/generate.js";
import { chosen } from "../chosen.js";
import { median } from "../statistics.js";
import { checkDigests, type DecodeDigest } from "./column-digest.js";
import { ourSubjects } from "./our-subjects.js";
import { fileSubjects } from "./file-subjects.js";
import { javascriptRoutes } from "./peers/javascript-routes.js";
import { sequenceRoute } from "./peers/sequence-route.js";
import { Tensorflow } from "./peers/tensorflow.js";
import { tfrecordPackage } from "./peers/tfrecord-package.js";
import { TfxBsl } from "./peers/tfx-bsl.js";
import { printDecodeTable } from "./print-decode-table.js";
import type { DecodeSubject, Entrant, SetInput, SubjectRuns } from "./subject.js";

const sets = allSets.filter((set) => ourSubjects.some((subject) => subject.supports(set)));

function subjectsWith(tfxBsl: TfxBsl, tensorflow: Tensorflow): readonly DecodeSubject[] {
  return [
    ...ourSubjects,
    ...fileSubjects,
    ...javascriptRoutes,
    sequenceRoute,
    tfrecordPackage,
    ...tfxBsl.subjects,
    ...tensorflow.subjects,
  ];
}

// The subjects created with `noPython` only provide their names. They never run, so they need no Python.
const noPython = () => Promise.reject(new BenchError("no Python"));

/** Decodes TFRecords of Examples or SequenceExamples. Each round runs every subject once. */
export const decodeBench: Bench = {
  name: "decode",
  about:
    "decodes TFRecords of Examples or SequenceExamples to record batches, usually of 4096 rows, on one thread",
  sets: sets.map(({ name }) => name),
  subjects: subjectsWith(new TfxBsl(noPython), new Tensorflow(noPython)).map(({ name }) => name),
  run: async (options, output) => {
    const tensorflow = new Tensorflow(options.python);
    const tfxBsl = new TfxBsl(options.python);
    const subjects = chosen(subjectsWith(tfxBsl, tensorflow), options.subjects);
    const measurements: Measurement[] = [];
    try {
      for (const set of chosen(sets, options.sets)) {
        const input = await prepareInput(set, options, output);
        const entrants = await prepareSubjects(subjects, set, input, output);
        await checkAgreement(set, entrants, output);
        const runs = await measure(set, entrants, options.rounds, output);
        printDecodeTable(set, input, runs, output);
        measurements.push(...runs.flatMap((run) => toMeasurements(set, run)));
      }
    } finally {
      tensorflow.close();
      tfxBsl.close();
    }
    return measurements;
  },
};

async function prepareInput(set: BenchSet, options: BenchOptions, output: Output): Promise<SetInput> {
  output.progress(`${set.name}: generating`);
  const { setBytes, longSetBytes, sampleBytes, cacheFolder } = options;
  const numBytes = set.hasLongRecords === true ? longSetBytes : setBytes;
  const whole = await generateSet(set, numBytes, cacheFolder);
  const sample = await generateSet(set, Math.min(sampleBytes, numBytes), cacheFolder);
  output.progress(
    `${set.name}: ${whole.numRecords} records, ${whole.numBytes} bytes, sha256 ${whole.sha256}`,
  );
  return { whole, sample, bytes: await readFile(whole.path) };
}

/**
 * Prepares the subjects that support a set. Notes the version of each peer that reports one, and the reason why a subject cannot
 * run.
 */
async function prepareSubjects(
  subjects: readonly DecodeSubject[],
  set: BenchSet,
  input: SetInput,
  output: BenchOutput,
): Promise<readonly Entrant[]> {
  const entrants: Entrant[] = [];
  for (const subject of subjects) {
    if (!subject.supports(set)) continue;
    const prepared = await subject.prepare(set, input);
    if ("absent" in prepared) {
      output.note(subject.name, `absent (${prepared.absent})`);
      continue;
    }
    if (prepared.version !== undefined) output.note(subject.name, prepared.version);
    entrants.push({ subject, prepared });
  }
  return entrants;
}

/** Checks that every subject decodes the sample to the same columns. This also warms up each subject. */
async function checkAgreement(
  { name: set }: BenchSet,
  entrants: readonly Entrant[],
  output: Output,
): Promise<void> {
  let expected: DecodeDigest | undefined;
  for (const { subject, prepared } of entrants) {
    const digest = await prepared.digest();
    expected ??= digest;
    const findings = checkDigests(expected, digest);
    if (findings.length > 0) {
      throw new BenchError(
        `decode ${set}: ${entrants[0]?.subject.name} and ${subject.name} disagree: ${findings.slice(0, 5).join("; ")}`,
      );
    }
  }
  output.progress(`  all agree: ${entrants.map(({ subject }) => subject.name).join(", ")}`);
}

async function measure(
  { name: set }: BenchSet,
  entrants: readonly Entrant[],
  rounds: number,
  output: Output,
): Promise<readonly SubjectRuns[]> {
  const faults: number[][] = entrants.map(() => []);
  const seconds = await interleave(
    entrants.map(({ subject, prepared }, index) => async () => {
      const run = await prepared.run();
      if (run.minorFaults !== undefined) faults[index]?.push(run.minorFaults);
      if (run.numRows === prepared.numRecords) return run.seconds;
      throw new BenchError(
        `decode ${set}: ${subject.name} decoded ${run.numRows} records, expected ${prepared.numRecords}`,
      );
    }),
    rounds,
    (round) => output.progress(`  round ${round + 1} of ${rounds}`),
  );
  return entrants.map((entrant, index) => ({
    ...entrant,
    seconds: seconds[index] ?? [],
    minorFaults: faults[index] ?? [],
  }));
}

function toMeasurements(
  set: BenchSet,
  { subject, prepared, seconds, minorFaults }: SubjectRuns,
): readonly Measurement[] {
  const row = (unit: string, runs: readonly number[]): Measurement => ({
    bench: "decode",
    set: set.name,
    subject: subject.name,
    unit,
    median: median(runs),
    runs,
  });
  const rates = (amount: number): readonly number[] => seconds.map((time) => amount / time);
  return [
    row("MB/s", rates(prepared.numBytes / 1e6)),
    row("records/s", rates(prepared.numRecords)),
    ...(minorFaults.length > 0 ? [row("faults", minorFaults)] : []),
  ];
}
