import type { Measurement } from "../measurement.js";
import { formatNumber } from "../table.js";
import { cell, markdownTable } from "./markdown.js";

/** Tools that are called from Python. All other peers on the sets below are called from JavaScript. */
const pythonTools: ReadonlySet<string> = new Set([
  "pyarrow",
  "pyarrow:mmap",
  "duckdb",
  "polars",
  "tensorflow",
  "struct2tensor",
  "python-protobuf",
  "grain",
]);

/** The sets to compare, with the words that describe their data to a user. */
const kinds = [
  { data: "CSV, types given", bench: "csv", set: "flat" },
  { data: "CSV, types inferred", bench: "csv", set: "inferred" },
  { data: "JSON Lines, types given", bench: "jsonl", set: "flat" },
  { data: "JSON Lines, types inferred", bench: "jsonl", set: "inferred" },
  { data: "Parquet, all eight columns", bench: "parquet", set: "flat" },
  { data: "Parquet, one of eight columns", bench: "parquet", set: "flat:1of8" },
  { data: "Parquet, lists", bench: "parquet", set: "list" },
  { data: "Arrow file", bench: "arrow", set: "flat" },
  { data: "Arrow file, LZ4", bench: "arrow", set: "lz4" },
  { data: "Arrow file, ZSTD", bench: "arrow", set: "zstd" },
  { data: "protobuf messages, flat", bench: "proto", set: "flat_all_types" },
  { data: "protobuf messages, nested", bench: "proto", set: "nested" },
  { data: "TFRecords to shuffled tensors, per second of processor time", bench: "dataset", set: "tfrecord" },
  {
    data: "rows in memory to shuffled tensors, per second of processor time",
    bench: "dataset",
    set: "shuffle",
  },
];

/**
 * Returns the Markdown lines of the table that compares `ours` with the fastest Python tool and the fastest JavaScript tool, for
 * the data in `kinds`. Returns no lines if none of it was measured.
 */
export function otherDataLines(measurements: readonly Measurement[]): readonly string[] {
  const rows = kinds.flatMap(({ data, bench, set }) => {
    const measured = measurements.filter((row) => row.bench === bench && row.set === set);
    const ours = measured.find(({ subject }) => subject === "ours");
    if (ours === undefined) return [];
    const peers = measured.filter(({ subject }) => subject !== "ours" && !subject.startsWith("ours:"));
    const isPython = ({ subject }: Measurement): boolean => pythonTools.has(subject);
    return [
      [
        data,
        `[${bench}](#${bench})`,
        `${formatNumber(ours.median)} ${ours.unit}`,
        ...fastestCells(ours, peers.filter(isPython)),
        ...fastestCells(
          ours,
          peers.filter((row) => !isPython(row)),
        ),
      ],
    ];
  });
  if (rows.length === 0) return [];
  return [
    "## Other formats, and datasets",
    "",
    "Each tool uses one thread, except where the table counts processor time. For all formats but TFRecord, the bench calls the",
    "reader of the format's package directly, without `openTfxio`. The linked sections describe the data and the tools. All speeds",
    "in a row have the same unit.",
    "",
    ...markdownTable([
      [
        "data",
        "section",
        "TFXIO",
        "fastest in Python",
        "TFXIO ÷ Python",
        "fastest in JavaScript",
        "TFXIO ÷ JavaScript",
      ],
      ...rows,
    ]),
    "",
  ];
}

/** Returns two cells: the median and the name of the fastest of `peers`, and the ratio of our median to it. */
function fastestCells(ours: Measurement, peers: readonly Measurement[]): readonly string[] {
  const [fastest] = [...peers].sort((a, b) => b.median - a.median);
  if (fastest === undefined) return ["–", "–"];
  return [`${formatNumber(fastest.median)} \`${fastest.subject}\``, cell(ours.median / fastest.median, "×")];
}
