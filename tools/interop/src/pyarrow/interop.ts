import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createExampleDecoder, createSequenceExampleDecoder } from "@tfxio/arrow-encoding";
import { type RecordBatch, Table, tableFromIPC, tableToIPC } from "apache-arrow";
import { assertSame } from "../assert-same.js";
import { encodeRows, exampleRows, exampleSchema, rowsJson } from "../example-rows.js";
import { hostTensors } from "../host-tensors.js";
import type { Interop, InteropContext } from "../interop.js";
import { pythonWith, runPython } from "../python.js";
import { encodeSequenceRows, sequenceRows, sequenceRowsJson, sequenceSchema } from "../sequence-rows.js";
import { compareArrowFiles } from "./arrow-files.js";
import { checkCsvDialects } from "./csv-dialects.js";
import { checkCsvFiles } from "./csv-files.js";
import { checkJsonFiles } from "./json-files.js";
import { checkForeignArrowFiles } from "./foreign-arrow-files.js";
import { checkArrowStreams } from "./arrow-streams.js";
import type { ForeignFile } from "./foreign-files.js";

const ragged = (column: string): string => `ragged_tensor { feature_path { step: "${column}" } }`;

/** The representations of the tensors for the columns that `python/arrow_write.py` writes. */
const representations = {
  list: ragged("list"),
  large: ragged("large"),
  fixed: 'dense_tensor { column_name: "fixed" shape { dim { size: 2 } } }',
  text: ragged("text"),
  nested: ragged("nested"),
  words: ragged("words"),
};

const typesOf = {
  list: (item: string): string => `list<item: ${item}>`,
  large: (item: string): string => `large_list<item: ${item}>`,
  fixed: (item: string): string => `list<item: ${item}>`,
};

/** Checks that pyarrow validates and reads our batches and files, and that we read its files and convert its list columns. */
export const pyarrow: Interop = {
  name: "pyarrow",
  about:
    "exchanges Arrow, CSV and JSON files with pyarrow, polars and DuckDB, and record batches with pyarrow over Arrow IPC",
  run: async (context) => {
    const python = await pythonWith("pyarrow", context);
    const folder = await mkdtemp(path.join(tmpdir(), "tfxio-interop-"));
    const rows = exampleRows();
    const sequences = sequenceRows();
    try {
      for (const listType of ["list", "large", "fixed"] as const) {
        const listOf = typesOf[listType];
        const binary = listType === "large" ? "large_binary" : "binary";
        const read = async (script: string, batch: RecordBatch): Promise<unknown> => {
          const file = path.join(folder, "ours.arrows");
          await writeFile(file, tableToIPC(new Table([batch]), "stream"));
          return runPython(python, script, [file]);
        };
        await context.report.check(
          `pyarrow validates and reads our batches, listType "${listType}"`,
          async () => {
            const batch = createExampleDecoder({ schema: exampleSchema, listType }).decode(encodeRows(rows));
            const types = {
              clicks: listOf("int64"),
              price: listOf("float"),
              title: listOf(binary),
              pair: listType === "fixed" ? "fixed_size_list<item: float>[2]" : listOf("float"),
            };
            assertSame({ types, rows: rowsJson(rows) }, await read("arrow_read.py", batch));
          },
        );
        await context.report.check(
          `pyarrow validates and reads our feature lists, listType "${listType}"`,
          async () => {
            const decoder = createSequenceExampleDecoder({ schema: sequenceSchema, listType });
            const batch = decoder.decode(encodeSequenceRows(sequences));
            const pair = listType === "fixed" ? "fixed_size_list<item: float>[2]" : listOf("float");
            const fields = {
              clicks: listOf(listOf("int64")),
              points: listOf(pair),
              prices: listOf(listOf("float")),
              words: listOf(listOf(binary)),
            };
            const types = {
              length: listType === "fixed" ? "fixed_size_list<item: int64>[1]" : listOf("int64"),
              tags: listOf(binary),
              "##SEQUENCE##": `struct<${Object.entries(fields)
                .map(([name, type]) => `${name}: ${type}`)
                .join(", ")}>`,
            };
            const expected = { types, rows: sequenceRowsJson(sequences) };
            assertSame(expected, await read("arrow_sequence_read.py", batch));
          },
        );
      }
      await context.report.check("the adapter converts pyarrow's list columns to tensors", async () => {
        const file = path.join(folder, "theirs.arrows");
        const expected = await runPython(python, "arrow_write.py", [file]);
        const [batch] = tableFromIPC(await readFile(file)).batches;
        assertSame(expected, hostTensors(batch as RecordBatch, representations));
      });
      await context.report.check("we read pyarrow's Arrow files, and pyarrow reads our copies", async () => {
        await compareArrowFiles(python, path.join(folder, "files"));
      });
      await checkArrowStreams(python, folder, context.report);
      await checkFiles(context, folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Exchanges files with pyarrow, polars, DuckDB and Python's standard library. All files are written to `folder`. */
async function checkFiles(context: InteropContext, folder: string): Promise<void> {
  const python = await pythonWith("tables", context);
  const written = (await runPython(python, "table_write.py", [folder])) as readonly ForeignFile[];
  const of = (...endings: readonly string[]): ForeignFile[] =>
    written.filter(({ file }) => endings.includes(path.extname(file)));
  const cells = path.join(folder, "cells.arrows");
  await checkForeignArrowFiles(of(".arrow", ".arrows", ".feather"), python, folder, context.report);
  await checkCsvFiles(of(".csv"), cells, python, context.report);
  await checkCsvDialects(python, folder, context.report);
  await checkJsonFiles(of(".jsonl"), python, folder, context.report);
}
