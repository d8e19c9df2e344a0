import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { encodeTfRecords } from "@tfxio/wire";
import { recordToTensorTfxio } from "@tfxio/io";
import {
  createRecordDecoder,
  createSavedModelView,
  createSavedQueryModel,
  encodeDataView,
  type ModelRuntime,
  type SavedModelViewOptions,
} from "@tfxio/struct2tensor";
import { loadDataView, readSavedModel, saveDataView } from "@tfxio/struct2tensor/directory";
import type { HostColumn } from "@tfxio/tensor-adapter";
import type { LoadedBackend } from "@tfxio/tensor-adapter/backends";
import { assertSame } from "../assert-same.js";
import type { Reporter } from "../interop.js";
import { type PlainTensor, plainValues, type SavedModelAnswers } from "./saved-model-answers.js";

const features: SavedModelViewOptions = {
  outputs: {
    age: { view: "dense", tensor: "age" },
    point: { view: "dense", tensor: "point" },
    tags: { view: "ragged", values: "tags_values", rowSplits: ["tags_splits"] },
    clicks: {
      view: "sparse",
      indices: "clicks_indices",
      values: "clicks_values",
      denseShape: "clicks_shape",
    },
  },
};

/** A view with one row per word. */
const words: SavedModelViewOptions = {
  outputs: {
    word: { view: "dense", tensor: "word" },
    record: { view: "ragged", values: "record_values", rowSplits: ["record_splits"] },
  },
  recordIndex: "record",
};

/**
 * Decodes records with SavedModels, and compares the tensors with those of TensorFlow in Python, which also wrote the models.
 * @param loaded The model runtime. Worker threads load it from its `url`.
 * @param folder The folder of the models.
 */
export async function checkRecordDecoders(
  loaded: ModelRuntime & Pick<LoadedBackend, "tf">,
  folder: string,
  answers: SavedModelAnswers,
  report: Reporter,
): Promise<void> {
  const { tf } = loaded;
  const models = loaded;
  const files = await readSavedModel(path.join(folder, "model"));
  const cases = [
    { signature: "decode", options: features, records: answers.examples, expected: answers.decode },
    { signature: "words", options: words, records: answers.sentences, expected: answers.words },
  ];
  const temporary = await mkdtemp(path.join(tmpdir(), "tfxio-interop-"));
  try {
    for (const { signature, options, records: texts, expected } of cases) {
      const records = texts.map((text) => new Uint8Array(Buffer.from(text, "base64")));
      const directory = path.join(temporary, signature);
      await report.check(
        `signature "${signature}": a view of a SavedModel decodes records to the same tensors as TensorFlow in Python`,
        async () => {
          const before = tf.memory().numTensors;
          const model = await createSavedQueryModel(files, models, { signature });
          const view = createSavedModelView(model, options);
          assertDecoded(options, createRecordDecoder(view).decode(records).tensors, expected);
          await saveDataView(view, directory);
          const again = await loadDataView(directory, { models });
          assertDecoded(options, createRecordDecoder(again).decode(records).tensors, expected);
          assertSame(
            [...(await encodeDataView(view))].map(([name, bytes]) => [name, bytes.join()]),
            [...(await encodeDataView(again))].map(([name, bytes]) => [name, bytes.join()]),
          );
          model.dispose();
          assertSame(before, tf.memory().numTensors);
        },
      );
      await report.check(
        `signature "${signature}": recordToTensorTfxio reads a file, also in a worker thread`,
        async () => {
          const file = path.join(temporary, `${signature}.tfrecord`);
          await writeFile(file, await encodeTfRecords(records));
          const decoder = createRecordDecoder(await loadDataView(directory, { models }));
          const tfxio = await recordToTensorTfxio({ sources: file, decoder, rawRecordColumn: "raw" });
          const rows = expected[signature === "words" ? "word" : "age"]!.shape[0];
          for (const workers of [0, 1]) {
            let numRows = 0;
            for await (const batch of tfxio.recordBatches({ batchSize: 7, workers }))
              numRows += batch.numRows;
            assertSame(rows, numRows);
          }
        },
      );
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Compares every part of every tensor with the output of the model for that part. */
function assertDecoded(
  { outputs }: SavedModelViewOptions,
  tensors: Readonly<Record<string, HostColumn>>,
  expected: Readonly<Record<string, PlainTensor>>,
): void {
  const found: Record<string, unknown> = {};
  const put = (part: string, positions: Iterable<number>): void => {
    const isText = expected[part]?.dtype === "int64";
    found[part] = Array.from(positions, (position) => (isText ? String(position) : position));
  };
  for (const [name, output] of Object.entries(outputs)) {
    const tensor = tensors[name]!;
    found[output.view === "dense" ? output.tensor : output.values] = plainValues(tensor);
    if (output.view === "ragged" && tensor.kind === "ragged") {
      output.rowSplits.forEach((part, level) => put(part, tensor.nestedRowSplits[level]!));
    }
    if (output.view === "sparse" && tensor.kind === "sparse") {
      put(output.indices, tensor.indices);
      put(output.denseShape, tensor.denseShape);
    }
  }
  assertSame(Object.fromEntries(Object.entries(expected).map(([name, { values }]) => [name, values])), found);
}
