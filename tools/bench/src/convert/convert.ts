import { chosen } from "../chosen.js";
import { interleave } from "../interleave.js";
import { type Bench, BenchError, type BenchOutput, type Measurement } from "../measurement.js";
import { reportRates } from "../report-rates.js";
import { median } from "../statistics.js";
import { formatNumber } from "../table.js";
import { type Conversion, conversions, inputOf } from "./conversion.js";
import type { ArrayDigest, ConvertSubject, PreparedConversion } from "./convert-subject.js";
import { memcpy } from "./memcpy.js";
import { ourConversion } from "./our-conversion.js";
import { ourKernels, ourTypescriptKernels } from "./our-kernels.js";
import { PythonConversion } from "./python-conversion.js";
import { createWrapping, numWrappedColumns } from "./wrap-columns.js";

type Entrant = PreparedConversion & { readonly name: string };

const wrapping = { name: "recordbatch" };
const wrapsPerRun = 500;
const libraries = ["pyarrow", "tensorflow"] as const;
const own: readonly ConvertSubject[] = [ourConversion, ourKernels, ourTypescriptKernels, memcpy];

/** Converts list columns to host tensors, reordered rows or varints. Also measures the cost of creating a RecordBatch. */
export const convertBench: Bench = {
  name: "convert",
  about:
    "converts list columns of 4096 rows to tensors, reordered rows or varints, and creates RecordBatches",
  sets: [...conversions.map(({ name }) => name), wrapping.name],
  subjects: [...own.map(({ name }) => name), ...libraries],
  run: async (options, output) => {
    const { python, cacheFolder: folder, rounds } = options;
    const peers = libraries.map((library) => new PythonConversion({ library, python, folder }, output));
    const subjects = chosen([...own, ...peers.map(({ subject }) => subject)], options.subjects);
    const measurements: Measurement[] = [];
    try {
      for (const conversion of chosen(conversions, options.sets)) {
        const entrants = await prepareAll(subjects, conversion, output);
        measurements.push(...(await measure(conversion, entrants, rounds, output)));
      }
    } finally {
      for (const peer of peers) await peer.close();
    }
    if (chosen([wrapping], options.sets).length > 0 && subjects.includes(ourConversion)) {
      measurements.push(await measureWrapping(rounds, output));
    }
    return measurements;
  },
};

/** Prepares the subjects that support a conversion, and checks that all of them compute the same result. */
async function prepareAll(
  subjects: readonly ConvertSubject[],
  conversion: Conversion,
  output: BenchOutput,
): Promise<readonly Entrant[]> {
  const input = inputOf(conversion);
  const entrants: Entrant[] = [];
  let expected: { readonly name: string; readonly digest: readonly ArrayDigest[] } | undefined;
  for (const subject of subjects) {
    const { name } = subject;
    if (subject.does?.(conversion) === false) continue;
    const prepared = await subject.prepare(conversion, input);
    if ("absent" in prepared) {
      output.note(name, `absent (${prepared.absent})`);
      continue;
    }
    const digest = await prepared.digest();
    if (digest !== undefined) expected ??= { name, digest };
    if (digest !== undefined && JSON.stringify(digest) !== JSON.stringify(expected?.digest)) {
      throw new BenchError(`convert ${conversion.name}: ${name} disagrees with ${expected?.name}`);
    }
    entrants.push({ name, ...prepared });
  }
  return entrants;
}

async function measure(
  { name: set, about, repeats }: Conversion,
  entrants: readonly Entrant[],
  rounds: number,
  output: BenchOutput,
): Promise<readonly Measurement[]> {
  const runs = entrants.map((entrant) => () => entrant.run(repeats));
  await interleave(runs, 1, () => output.progress(`${set}: warm-up`));
  const seconds = await interleave(runs, rounds, (round) =>
    output.progress(`  round ${round + 1} of ${rounds}`),
  );
  output.print(`${about}:`);
  return reportRates(
    { bench: "convert", set, unit: "batches/s", amount: repeats },
    entrants,
    seconds,
    output,
  );
}

/** Measures the time to create a RecordBatch, in µs per column. */
async function measureWrapping(rounds: number, output: BenchOutput): Promise<Measurement> {
  const wrap = createWrapping();
  const run = async (): Promise<number> => {
    const start = performance.now();
    for (let i = 0; i < wrapsPerRun; i++) wrap();
    return (performance.now() - start) / 1000;
  };
  await interleave([run], 1, () => {});
  const [seconds = []] = await interleave([run], rounds, () => {});
  const runs = seconds.map((time) => (time * 1e6) / wrapsPerRun / numWrappedColumns);
  output.print(`convert ${wrapping.name}: ${formatNumber(median(runs))} µs per column`);
  output.print("");
  return {
    bench: "convert",
    set: wrapping.name,
    subject: ourConversion.name,
    unit: "µs/column",
    median: median(runs),
    runs,
  };
}
