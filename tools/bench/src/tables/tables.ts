import { arrow } from "@tfxio/formats-arrow";
import { csv } from "@tfxio/formats-csv";
import { jsonl } from "@tfxio/formats-jsonl";
import type { Bench } from "../measurement.js";
import { flatSchema } from "./flat-table.js";
import { inProcessTable } from "./in-process.js";
import { readFormat } from "./our-tables.js";
import { arrowPackages } from "./peers/arrow-packages.js";
import { csvPackages } from "./peers/csv-packages.js";
import { jsonParse } from "./peers/json-parse.js";
import type { PythonTables } from "./peers/python-tables.js";
import { tableBench } from "./table-bench.js";
import { touched } from "./table-digest.js";
import type { TableSubject } from "./table-subject.js";

const oursCsv = (infer: boolean): TableSubject =>
  inProcessTable({
    name: "ours",
    reads: "whole",
    read: readFormat(csv, infer ? undefined : flatSchema),
  });

const oursJsonl = (infer: boolean): TableSubject =>
  inProcessTable({
    name: "ours",
    reads: "whole",
    read: readFormat(jsonl, infer ? undefined : flatSchema),
  });

const oursArrow: TableSubject = inProcessTable({
  name: "ours",
  reads: "whole",
  eachBatch: touched,
  read: readFormat(arrow),
});

/** Reads CSV to record batches, or to a table in memory. */
export const csvBench: Bench = tableBench({
  name: "csv",
  about: "reads CSV with eight columns into record batches or a table in memory, on one thread",
  sets: [
    {
      name: "flat",
      kind: "csv",
      isTyped: true,
      subjects: (python) => [
        oursCsv(false),
        ...["pyarrow", "duckdb", "polars"].map((engine) => python.subject(engine, "csv", false)),
        ...csvPackages,
      ],
    },
    {
      name: "inferred",
      kind: "csv",
      isTyped: false,
      subjects: (python) => [
        oursCsv(true),
        ...["pyarrow", "duckdb", "polars"].map((engine) => python.subject(engine, "csv", true)),
      ],
    },
  ],
});

/** Reads JSON Lines to record batches, or to a table in memory. */
export const jsonlBench: Bench = tableBench({
  name: "jsonl",
  about: "reads JSON Lines (eight members per line) into record batches or a table in memory, on one thread",
  sets: [
    {
      name: "flat",
      kind: "jsonl",
      isTyped: true,
      subjects: (python) => [
        oursJsonl(false),
        ...["pyarrow", "duckdb", "polars"].map((engine) => python.subject(engine, "jsonl", false)),
        ...jsonParse,
      ],
    },
    {
      name: "inferred",
      kind: "jsonl",
      isTyped: false,
      subjects: (python) => [
        oursJsonl(true),
        ...["pyarrow", "duckdb", "polars"].map((engine) => python.subject(engine, "jsonl", true)),
      ],
    },
  ],
});

/** Reads Arrow files to record batches, or to a table in memory, and then reads every value of one column. */
export const arrowBench: Bench = tableBench({
  name: "arrow",
  about:
    "reads Arrow IPC files to record batches or a table, and then reads all values of one column, on one thread",
  sets: [
    {
      name: "flat",
      kind: "arrow",
      isTyped: true,
      subjects: (python) => [
        oursArrow,
        ...["pyarrow", "pyarrow:mmap"].map((engine) => python.subject(engine, "arrow", false)),
        ...arrowPackages,
      ],
    },
    ...(["lz4", "zstd"] as const).map((codec) => ({
      name: codec,
      kind: `arrow-${codec}` as const,
      isTyped: true,
      subjects: (python: PythonTables) => [oursArrow, python.subject("pyarrow", "arrow", false)],
    })),
  ],
});
