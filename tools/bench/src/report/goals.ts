import { mostForShuffling } from "../dataset/dataset.js";
import { mostBeyondArrow } from "../import/import.js";
import { querySets } from "../struct2tensor/query-sets.js";
import type { Medians } from "./medians.js";

/** A goal: a bound on one measured figure. */
export interface Goal {
  /** `G` and a number. Several goals may share an id, for example one goal for each set. */
  readonly id: string;
  /** Description of the figure that the goal bounds, such as a ratio. */
  readonly about: string;
  readonly set: string;
  /** The bound, inclusive. */
  readonly wanted: number;
  /** `at-least` for a speed, `at-most` for a cost. */
  readonly bound: "at-least" | "at-most";
  readonly unit: "×" | " µs" | " MB" | " ms";
  /** Returns the measured figure, or undefined if a measurement is missing. */
  measured(medians: Medians): number | undefined;
}

/** Goals for the ratio of a subject's speed to that of its peers. */
interface RatioGoal {
  readonly id: string;
  readonly about: string;
  readonly bench: string;
  readonly subject: string;
  /** The peers. The speed of `subject` is divided by that of the fastest peer. */
  readonly others: readonly string[];
  /** Minimum ratio by set. */
  readonly wanted: Readonly<Record<string, number>>;
}

const owned = "ours:wasm";

const ratioGoals: readonly RatioGoal[] = [
  {
    id: "G18",
    about: "dataset: `ours` ÷ `tfjs-data`, rows of numbers to batches of tensors",
    bench: "dataset",
    subject: "ours",
    others: ["tfjs-data"],
    wanted: { batch: 20, shuffle: 20, map: 20 },
  },
  {
    id: "G19",
    about: "dataset: `ours` ÷ `tensorflow`, shuffled batches of tensors",
    bench: "dataset",
    subject: "ours",
    others: ["tensorflow"],
    wanted: { shuffle: 1.5, tfrecord: 1.5 },
  },
  {
    id: "G20",
    about: "dataset: `ours` ÷ `grain`, shuffled batches of tensors",
    bench: "dataset",
    subject: "ours",
    others: ["grain"],
    wanted: { shuffle: 1, tfrecord: 1 },
  },
  {
    id: "G1",
    about: "decode: `ours:wasm` ÷ `tfx_bsl`, from memory",
    bench: "decode",
    subject: owned,
    others: ["tfx_bsl"],
    wanted: { criteo: 6, criteo_shuf: 5, taxi: 6, wide: 1.5, ragged: 2.5, seq: 3 },
  },
  {
    id: "G3",
    about: "decode: `ours:wasm` ÷ the faster of `protobufjs:builders` and `protobuf-es:builders`",
    bench: "decode",
    subject: owned,
    others: ["protobufjs:builders", "protobuf-es:builders"],
    wanted: { criteo: 30, criteo_shuf: 30, taxi: 25, wide: 10, ragged: 9, seq: 30 },
  },
  {
    id: "G4",
    about: "decode: `ours:typescript` ÷ `tfx_bsl`, from memory",
    bench: "decode",
    subject: "ours:typescript",
    others: ["tfx_bsl"],
    wanted: { criteo: 1.8, criteo_shuf: 1.8, taxi: 1.8 },
  },
  {
    id: "G5",
    about: "crc: `ours:wasm` ÷ `@node-rs/crc32`",
    bench: "crc",
    subject: owned,
    others: ["@node-rs/crc32"],
    wanted: { "500B": 1.1, "1430B": 0.85, "10900B": 0.65 },
  },
  {
    id: "G6",
    about:
      "gzip: `ours:batches`, which also decodes, ÷ `zlib:16KiB`, which inflates with Node's default chunk size",
    bench: "gzip",
    subject: "ours:batches",
    others: ["zlib:16KiB"],
    wanted: { criteo: 1.5, taxi: 1.5, wide: 1.5 },
  },
  {
    id: "G7",
    about: "threads: two workers ÷ one, batches transferred",
    bench: "threads",
    subject: "ours:2-workers",
    others: ["ours:1-worker"],
    wanted: { criteo: 1.4, taxi: 1.4, wide: 1.4, ragged: 1.4 },
  },
  {
    id: "G7",
    about: "threads: two workers ÷ one, batches leased",
    bench: "threads",
    subject: "ours:2-workers-leased",
    others: ["ours:1-worker-leased"],
    wanted: { criteo: 1.6, taxi: 1.6, wide: 1.6, ragged: 1.6 },
  },
  {
    id: "G9",
    about: "convert: `ours:into` ÷ `memcpy` of the same number of bytes, both into reused memory",
    bench: "convert",
    subject: "ours:into",
    others: ["memcpy"],
    wanted: { coo: 0.35, pad_int64: 0.35, pad_float32: 0.35 },
  },
  {
    id: "G11",
    about: "decode: `ours:wasm` ÷ `tensorflow`, which parses every feature as ragged",
    bench: "decode",
    subject: owned,
    others: ["tensorflow"],
    wanted: { criteo: 3.5, criteo_shuf: 3.5, taxi: 3.5, wide: 3, ragged: 1.4 },
  },
  {
    id: "G11",
    about: "decode: `ours:wasm` ÷ `tensorflow:fixed`",
    bench: "decode",
    subject: owned,
    others: ["tensorflow:fixed"],
    wanted: { wide: 1.2 },
  },
  {
    id: "G12",
    about:
      "webgpu: `device`, which pads rows on a GPU, ÷ `host`, which pads them on the CPU and uploads the result",
    bench: "webgpu",
    subject: "device",
    others: ["host"],
    wanted: { pad_float32_256MiB: 2, pad_int64_256MiB: 2 },
  },
  {
    id: "G13",
    about: "decode: `ours:file` ÷ `tfx_bsl:file`, from a file",
    bench: "decode",
    subject: "ours:file",
    others: ["tfx_bsl:file"],
    wanted: { criteo: 4, criteo_shuf: 4, taxi: 4, wide: 2.5, ragged: 4, seq: 4 },
  },
  {
    id: "G16",
    about: "csv: `ours` ÷ the faster of `pyarrow` and `duckdb`, one thread each, types given",
    bench: "csv",
    subject: "ours",
    others: ["pyarrow", "duckdb"],
    wanted: { flat: 1 },
  },
  {
    id: "G16",
    about: "csv: `ours` ÷ the fastest npm package, with or without `:builders`",
    bench: "csv",
    subject: "ours",
    others: ["papaparse", "csv-parse", "d3-dsv"].flatMap((name) => [name, `${name}:builders`]),
    wanted: { flat: 3 },
  },
  {
    id: "G17",
    about: "jsonl: `ours` ÷ the faster of `JSON.parse` and `JSON.parse:builders`",
    bench: "jsonl",
    subject: "ours",
    others: ["JSON.parse", "JSON.parse:builders"],
    wanted: { flat: 1 },
  },
  {
    id: "G21",
    about: "struct2tensor: `ours` ÷ `struct2tensor`, per second of processor time",
    bench: "struct2tensor",
    subject: "ours",
    others: ["struct2tensor"],
    wanted: Object.fromEntries(querySets.map(({ name }) => [name, 2])),
  },
  {
    id: "G23",
    about: "proto: `ours` ÷ the faster of `tensorflow` and `struct2tensor`",
    bench: "proto",
    subject: "ours",
    others: ["tensorflow", "struct2tensor"],
    wanted: { flat_all_types: 3, nested: 3 },
  },
  {
    id: "G23",
    about: "proto: `ours` ÷ `protobuf-es` with arrow-js builders",
    bench: "proto",
    subject: "ours",
    others: ["protobuf-es:builders"],
    wanted: { flat_all_types: 8, nested: 8 },
  },
  {
    id: "G24",
    about: "parquet: `ours` ÷ `pyarrow`, one thread each",
    bench: "parquet",
    subject: "ours",
    others: ["pyarrow"],
    wanted: { flat: 0.4, list: 0.4 },
  },
];

const megabyte = 1e6;
const importAbout = "import: `tfxio` − `apache-arrow`";

function beyondArrow(medians: Medians, set: string): number | undefined {
  const [ours, arrow] = ["tfxio", "apache-arrow"].map((subject) => medians.of("import", set, subject));
  return ours === undefined || arrow === undefined ? undefined : ours - arrow;
}

// Goals other than ratios to a peer's speed.
const prices: readonly Goal[] = [
  ...[
    { share: 5, most: 0.25 },
    { share: 20, most: 0.5 },
  ].map(
    ({ share, most }): Goal => ({
      id: "G22",
      about: `struct2tensor: time of \`ours\` for ${share} % of the leaves ÷ its time for all leaves`,
      set: `event_log_${share}`,
      wanted: most,
      bound: "at-most",
      unit: "×",
      measured: (medians) => {
        const [all, some] = [100, share].map((each) =>
          medians.of("struct2tensor", `event_log_${each}`, "ours"),
        );
        return all === undefined || some === undefined ? undefined : all / some;
      },
    }),
  ),
  {
    id: "G24",
    about: "parquet: time of `ours` for one column ÷ its time for all eight",
    set: "flat:1of8",
    wanted: 0.25,
    bound: "at-most",
    unit: "×",
    measured: (medians) => {
      const [all, one] = ["flat", "flat:1of8"].map((set) => medians.of("parquet", set, "ours"));
      return all === undefined || one === undefined ? undefined : all / one;
    },
  },
  {
    id: "G25",
    about: "beam: two workers ÷ one",
    set: "workers",
    wanted: 1.4,
    bound: "at-least",
    unit: "×",
    measured: (medians) => medians.ratio("beam", "workers", "workers:2", ["workers:1"]),
  },
  {
    id: "G8",
    about: "convert: time to create a RecordBatch of 40 columns from finished buffers, per column",
    set: "recordbatch",
    wanted: 3,
    bound: "at-most",
    unit: " µs",
    measured: (medians) => medians.of("convert", "recordbatch", "ours"),
  },
  {
    id: "G14",
    about: "dataset: processor time of `default` ÷ `unshuffled`",
    set: "criteo",
    wanted: mostForShuffling,
    bound: "at-most",
    unit: "×",
    measured: (medians) => medians.ratio("dataset", "criteo", "default", ["unshuffled"]),
  },
  {
    id: "G15",
    about: importAbout,
    set: "time",
    wanted: mostBeyondArrow.time,
    bound: "at-most",
    unit: " ms",
    measured: (medians) => beyondArrow(medians, "time"),
  },
  {
    id: "G15",
    about: importAbout,
    set: "rss",
    wanted: mostBeyondArrow.rss,
    bound: "at-most",
    unit: " MB",
    measured: (medians) => {
      const bytes = beyondArrow(medians, "rss");
      return bytes === undefined ? undefined : bytes / megabyte;
    },
  },
  ...["peak", "peak-leased"].flatMap((subject) =>
    [
      "criteo",
      "wide",
      "flat_all_types",
      "nested",
      ...(subject === "peak" ? ["csv", "jsonl", "arrow", "arrows"] : []),
    ].map(
      (set): Goal => ({
        id: "G10",
        about: `memory: \`${subject}\` − \`baseline\` − 3 × \`batch\``,
        set,
        wanted: 64,
        bound: "at-most",
        unit: " MB",
        measured: (medians) => {
          const [peak, baseline, batch] = [subject, "baseline", "batch"].map((each) =>
            medians.of("memory", set, each),
          );
          if (peak === undefined || baseline === undefined || batch === undefined) return undefined;
          return (peak - baseline - 3 * batch) / megabyte;
        },
      }),
    ),
  ),
];

/** All goals, sorted by number. There is no G2: it would need an implementation in C to compare with, and none exists. */
export const goals: readonly Goal[] = [
  ...ratioGoals.flatMap(({ id, about, bench, subject, others, wanted }) =>
    Object.entries(wanted).map(
      ([set, least]): Goal => ({
        id,
        about,
        set,
        wanted: least,
        bound: "at-least",
        unit: "×",
        measured: (medians) => medians.ratio(bench, set, subject, others),
      }),
    ),
  ),
  ...prices,
].sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));

/** The known reasons why goals are missed, by id, in the order of the page. A reason is shown only if its goal is missed. */
export const reasons: Readonly<Record<string, string>> = {
  G5:
    "WebAssembly has neither a CRC nor a carry-less multiply instruction. Native code has both. The size of that advantage " +
    "depends on the processor. The goal was set on an AMD EPYC of the Genoa class.",
  G7:
    "With one worker, the process already keeps more than one core busy. The worker, the calling thread, the file reads and " +
    "V8's background threads, such as those of its garbage collector, run at the same time. In separate measurements on two " +
    "cores, which other programs shared, the process with one worker kept 1.2 to 1.7 cores busy. So on two cores, the " +
    "highest possible speed of two workers is between 1.2 (2 ÷ 1.7) and 1.7 (2 ÷ 1.2) times that of one. We have not " +
    "measured on more than two cores.",
  G9:
    "The kernel copies values into WebAssembly's memory, and the result out of it, in pieces that stay in the L2 cache. " +
    "Together with the conversion itself, these copies make three passes over the data, and memcpy needs only one. The " +
    "goal applies to the kernels alone. `ours`, which users call, also allocates memory for each tensor, and the first " +
    "access to that memory takes longer than everything else.",
  G10:
    "V8 frees the buffers of owned batches only in a full garbage collection, and runs one after every 16 MB of new " +
    "batches. Batches that are in use during a collection stay in memory until the next one. " +
    "[Leased batches](guides/leases.md) reuse their memory.",
  G18:
    "A function that is called for each row needs an object for each row, and its results must be stacked again. These " +
    "steps' share of the time was not measured.",
  G19:
    "TensorFlow.js keeps text as one Uint8Array per value, unlike TensorFlow, and 26 of the 40 features of criteo are text. " +
    "The text's share of the time was not measured.",
};

// Two measurements of a median often differ by up to this fraction on a machine that other programs also use.
const noise = 0.15;

/** The result of comparing a measurement with a goal. */
export type Outcome = "met" | "missed" | "missed, but within noise" | "not measured";

/** Compares a measurement with a goal. A miss may be noise if the lower of the two is at most 15 % below the higher. */
export function outcomeOf({ wanted, bound }: Goal, measured: number | undefined): Outcome {
  if (measured === undefined) return "not measured";
  const [value, limit] = bound === "at-least" ? [measured, wanted] : [wanted, measured];
  if (value >= limit) return "met";
  return value >= limit * (1 - noise) ? "missed, but within noise" : "missed";
}
