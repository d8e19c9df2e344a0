import type { Measurement } from "../measurement.js";
import { cell, markdownTable } from "./markdown.js";
import { Medians } from "./medians.js";

const bench = "decode";
const ours = { label: "TFXIO for JavaScript, `openTfxio`", subjects: ["ours:file"] };
const npm = {
  label: "fastest npm package",
  subjects: ["protobufjs", "protobufjs:builders", "protobuf-es", "protobuf-es:builders", "tfrecord"],
};
/** The peers. A peer with several subjects is represented by its fastest subject on the set. */
const others = [
  { label: "tfx_bsl in Python", subjects: ["tfx_bsl:file"] },
  { label: "TensorFlow in Python", subjects: ["tensorflow", "tensorflow:fixed"] },
  npm,
];

/**
 * Returns the Markdown lines of the tables for users. They compare the speed of reading a file as record batches. Returns no
 * lines if `ours:file` was not measured.
 */
export function endToEndLines(measurements: readonly Measurement[]): readonly string[] {
  const medians = new Medians(measurements);
  const sets = [...new Set(measurements.filter((row) => row.bench === bench).map(({ set }) => set))].filter(
    (set) => best(medians, set, ours.subjects) !== undefined,
  );
  if (sets.length === 0) return [];
  const rates = (unit: string): readonly string[] => [
    ...markdownTable([
      [unit, ...sets],
      ...[ours, ...others].map(({ label, subjects }) => [
        label,
        ...sets.map((set) => cell(best(medians, set, subjects, unit)?.median)),
      ]),
    ]),
    "",
  ];
  return [
    "## From TFRecord files to record batches",
    "",
    "Each tool uses one thread. TensorFlow creates tensors instead of record batches. `criteo` has 40 short features in a fixed",
    "order, and `criteo_shuf` has them in a different order in each record. `taxi` has 18 mixed features, `wide` has float",
    "embeddings, `ragged` has lists of integers, and `seq` has SequenceExamples.",
    "",
    ...rates("MB/s"),
    ...markdownTable([
      ["`openTfxio` ÷", ...sets],
      ...others.map(({ label, subjects }) => [
        label,
        ...sets.map((set) => cell(medians.ratio(bench, set, "ours:file", subjects), "×")),
      ]),
    ]),
    "",
    ...rates("records/s"),
    ...npmWords(medians, sets),
    "TFXIO, tfx_bsl and TensorFlow read a file. The clock starts once the Python processes are running and the file is in the page",
    "cache. The npm protobuf libraries decode only the first 16 MB, from bytes in memory, and do not check CRCs. The npm",
    "package `tfrecord` reads the same 16 MB from a file and checks CRCs, but it creates no columns.",
    "",
  ];
}

/** Returns sentences that name the fastest npm package for each set. */
function npmWords(medians: Medians, sets: readonly string[]): readonly string[] {
  const setsOf = new Map<string, string[]>();
  for (const set of sets) {
    const subject = best(medians, set, npm.subjects)?.subject;
    if (subject !== undefined) setsOf.set(subject, [...(setsOf.get(subject) ?? []), set]);
  }
  if (setsOf.size === 0) return [];
  const names = new Intl.ListFormat("en-GB");
  const parts = Array.from(
    setsOf,
    ([subject, of]) => `\`${subject}\` is the fastest for ${names.format(of)}.`,
  );
  return [
    `Of the npm packages, ${parts.join(" ")} The suffix \`:builders\` means that the builders of arrow-js create the columns.`,
    "",
  ];
}

/** Returns the subject with the highest median on `set`; undefined if none was measured. */
function best(
  medians: Medians,
  set: string,
  subjects: readonly string[],
  unit?: string,
): { readonly subject: string; readonly median: number } | undefined {
  const measured = subjects.flatMap((subject) => {
    const median = medians.of(bench, set, subject, unit);
    return median === undefined ? [] : [{ subject, median }];
  });
  return measured.sort((a, b) => b.median - a.median)[0];
}
