import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createExampleDecoder } from "@tfxio/arrow-encoding";
import { type RecordBatch, Table, tableFromIPC, tableToIPC } from "apache-arrow";
import { assertSame } from "../assert-same.js";
import { encodeRows, exampleRows, rowsJson } from "../example-rows.js";
import { hostTensors } from "../host-tensors.js";
import type { Interop } from "../interop.js";
import { pythonWith, runPython } from "../python.js";

const ragged = (column: string): string => `ragged_tensor { feature_path { step: "${column}" } }`;

/** What tensors the columns of `python/arrow_write.py` make. */
const representations = {
  list: ragged("list"),
  large: ragged("large"),
  fixed: 'dense_tensor { column_name: "fixed" shape { dim { size: 2 } } }',
  text: ragged("text"),
  nested: ragged("nested"),
  words: ragged("words"),
};

const itemTypes = {
  list: (item: string): string => `list<item: ${item}>`,
  large: (item: string): string => `large_list<item: ${item}>`,
};

/** pyarrow: our batches validated and read by it, and its list columns made into tensors by us. */
export const pyarrow: Interop = {
  name: "pyarrow",
  about: "record batches to and from pyarrow over Arrow IPC",
  run: async (context) => {
    const python = await pythonWith("pyarrow", context);
    const folder = await mkdtemp(path.join(tmpdir(), "tfxio-interop-"));
    const rows = exampleRows();
    try {
      for (const listType of ["list", "large"] as const) {
        await context.report.check(
          `pyarrow validates and reads our batches, listType "${listType}"`,
          async () => {
            const batch = createExampleDecoder({ listType }).decode(encodeRows(rows));
            const file = path.join(folder, `${listType}.arrows`);
            await writeFile(file, tableToIPC(new Table([batch]), "stream"));
            const binary = listType === "large" ? "large_binary" : "binary";
            const typeOf = itemTypes[listType];
            assertSame(
              {
                types: {
                  clicks: typeOf("int64"),
                  price: typeOf("float"),
                  title: typeOf(binary),
                  pair: typeOf("float"),
                },
                rows: rowsJson(rows),
              },
              await runPython(python, "arrow_read.py", [file]),
            );
          },
        );
      }
      await context.report.check(
        "the adapter makes tensors of every kind of list that pyarrow writes",
        async () => {
          const file = path.join(folder, "theirs.arrows");
          const expected = await runPython(python, "arrow_write.py", [file]);
          const [batch] = tableFromIPC(await readFile(file)).batches;
          assertSame(expected, hostTensors(batch as RecordBatch, representations));
        },
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
