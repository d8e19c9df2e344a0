import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createExampleDecoder, createExampleEncoder } from "@tfxio/arrow-encoding";
import { openTfxio } from "@tfxio/io";
import { writeTfRecords } from "@tfxio/wire";
import { assertSame } from "../assert-same.js";
import {
  batchRows,
  encodeRows,
  exampleRows,
  exampleSchema,
  type RowJson,
  rowsJson,
} from "../example-rows.js";
import { hostTensors } from "../host-tensors.js";
import type { Interop } from "../interop.js";
import { pythonWith, runPython } from "../python.js";
import { checkSequenceExamples } from "./sequence-examples.js";

const compressions: readonly (readonly [ours: "none" | "gzip" | "zlib", theirs: string])[] = [
  ["none", ""],
  ["gzip", "GZIP"],
  ["zlib", "ZLIB"],
];

/** Checks that TensorFlow in Python reads our TFRecords, that we read its TFRecords, and that both create the same tensors. */
export const tensorflow: Interop = {
  name: "tensorflow",
  about: "exchanges TFRecords with TensorFlow in Python, and compares its parsers with the tensor adapter",
  run: async (context) => {
    const python = await pythonWith("tensorflow", context);
    const folder = await mkdtemp(path.join(tmpdir(), "tfxio-interop-"));
    const rows = exampleRows();
    const expected = rowsJson(rows);
    try {
      for (const [ours, theirs] of compressions) {
        await context.report.check(`TensorFlow reads what we write, compression "${ours}"`, async () => {
          const file = path.join(folder, `ours-${ours}.tfrecord`);
          await writeTfRecords(encodeRows(rows), file, { compression: ours });
          assertSame(expected, await runPython(python, "tfrecord_read.py", [file, theirs]));
        });
        await context.report.check(`we read what TensorFlow writes, compression "${ours}"`, async () => {
          const file = path.join(folder, `theirs-${ours}.tfrecord`);
          const json = path.join(folder, "rows.json");
          await writeFile(json, JSON.stringify(expected));
          await runPython(python, "tfrecord_write.py", [json, file, theirs]);
          assertSame(expected, await rowsOf(file));
        });
      }
      for (const listType of ["list", "large", "fixed"] as const) {
        await context.report.check(
          `TensorFlow reads what our batch encoder writes, listType "${listType}"`,
          async () => {
            const file = path.join(folder, `encoded-${listType}.tfrecord`);
            const batch = createExampleDecoder({ schema: exampleSchema, listType }).decode(encodeRows(rows));
            await writeTfRecords(createExampleEncoder().encode(batch), file);
            assertSame(expected, await runPython(python, "tfrecord_read.py", [file, ""]));
          },
        );
      }
      await context.report.check("the adapter makes the same tensors as tf.io.parse_example", async () => {
        const file = path.join(folder, "parsed.tfrecord");
        await writeTfRecords(encodeRows(rows), file);
        assertSame(await runPython(python, "parse_example.py", [file]), await tensorsOf(file));
      });
      await checkSequenceExamples(python, folder, context.report);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function rowsOf(file: string): Promise<RowJson[]> {
  const rows: RowJson[] = [];
  const tfxio = await openTfxio(file, { inferSchema: "full" });
  for await (const batch of tfxio.recordBatches()) rows.push(...batchRows(batch));
  return rows;
}

const representations = {
  pair: 'dense_tensor { column_name: "pair" shape { dim { size: 2 } } default_value { float_value: 0.5 } }',
  price: 'varlen_sparse_tensor { column_name: "price" }',
  clicks: 'varlen_sparse_tensor { column_name: "clicks" }',
  title: 'ragged_tensor { feature_path { step: "title" } row_partition_dtype: INT32 }',
};

async function tensorsOf(file: string): Promise<unknown> {
  const made: unknown[] = [];
  const tfxio = await openTfxio(file, { inferSchema: "full" });
  for await (const batch of tfxio.recordBatches()) made.push(hostTensors(batch, representations));
  if (made.length !== 1) throw new Error(`the rows must be in one batch, found ${made.length} batches`);
  return made[0];
}
