import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createSequenceExampleDecoder, createSequenceExampleEncoder } from "@tfxio/arrow-encoding";
import { openTfxio } from "@tfxio/io";
import { openSources, tfRecordBlocks, writeTfRecords } from "@tfxio/wire";
import { type Kernels, kernelInfo, kernels, typescriptKernels } from "@tfxio/wire/kernels";
import { assertSame } from "../assert-same.js";
import { hostTensors } from "../host-tensors.js";
import type { Reporter } from "../interop.js";
import { runPython } from "../python.js";
import {
  batchSequenceRows,
  encodeSequenceRows,
  sequenceRows,
  sequenceRowsJson,
  sequenceSchema,
} from "../sequence-rows.js";

const list = (name: string): string =>
  `ragged_tensor { feature_path { step: "##SEQUENCE##" step: "${name}" } row_partition_dtype: INT32 }`;

const representations = {
  length: 'dense_tensor { column_name: "length" shape { } default_value { int_value: 7 } }',
  tags: 'varlen_sparse_tensor { column_name: "tags" }',
  clicks: list("clicks"),
  points: list("points"),
  prices: list("prices"),
  words: list("words"),
};

/** Checks that TensorFlow reads our tf.SequenceExamples, that we read TensorFlow's, and that both create the same tensors. */
export async function checkSequenceExamples(python: string, folder: string, report: Reporter): Promise<void> {
  const rows = sequenceRows();
  const expected = sequenceRowsJson(rows);
  const theirs = path.join(folder, "theirs-sequences.tfrecord");
  const ours = path.join(folder, "ours-sequences.tfrecord");
  const json = path.join(folder, "sequence-rows.json");
  await writeFile(json, JSON.stringify(expected));
  await runPython(python, "sequence_write.py", [json, theirs]);
  await writeTfRecords(encodeSequenceRows(rows), ours);

  await report.check("TensorFlow reads the tf.SequenceExamples that we write", async () => {
    assertSame(expected, await runPython(python, "sequence_read.py", [ours]));
  });
  const allKernels: readonly (readonly [name: string, kernels: Kernels])[] = [
    [kernelInfo().name, kernels()],
    ["TypeScript", typescriptKernels],
  ];
  for (const [name, each] of allKernels) {
    await report.check(
      `we read the tf.SequenceExamples that TensorFlow writes, kernels: ${name}`,
      async () => {
        const decoder = createSequenceExampleDecoder({ kernels: each });
        assertSame(expected, batchSequenceRows(decoder.decode(await recordsOf(theirs))));
      },
    );
  }
  for (const listType of ["list", "large", "fixed"] as const) {
    await report.check(
      `TensorFlow reads the tf.SequenceExamples that our batch encoder writes, listType "${listType}"`,
      async () => {
        const file = path.join(folder, `encoded-sequences-${listType}.tfrecord`);
        const decoder = createSequenceExampleDecoder({ schema: sequenceSchema, listType });
        const batch = decoder.decode(await recordsOf(theirs));
        await writeTfRecords(createSequenceExampleEncoder().encode(batch), file);
        assertSame(expected, await runPython(python, "sequence_read.py", [file]));
      },
    );
  }
  await report.check("the adapter makes the same tensors as tf.io.parse_sequence_example", async () => {
    const made: unknown[] = [];
    const tfxio = await openTfxio(theirs, { format: "sequence-tfrecord", inferSchema: "full" });
    for await (const batch of tfxio.recordBatches()) made.push(hostTensors(batch, representations));
    assertSame([await runPython(python, "parse_sequence_example.py", [theirs])], made);
  });
}

/** Reads the payloads of a TFRecord file. */
async function recordsOf(file: string): Promise<Uint8Array[]> {
  const records: Uint8Array[] = [];
  for (const source of await openSources(file)) {
    for await (const { bytes, numRecords, starts, ends } of tfRecordBlocks(source)) {
      for (let record = 0; record < numRecords; record++) {
        records.push(bytes.slice(starts[record], ends[record]));
      }
    }
  }
  return records;
}
