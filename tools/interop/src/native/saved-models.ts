import { existsSync } from "node:fs";
import path from "node:path";
import type * as tfjs from "@tensorflow/tfjs-core";
import { parseMessageText, TensorRepresentationSchema } from "@tfxio/schema";
import { TensorAdapter } from "@tfxio/tensor-adapter";
import {
  type DataType,
  Field,
  Float32,
  Int64,
  List,
  type RecordBatch,
  Table,
  vectorFromArray,
} from "apache-arrow";
import { assertSame } from "../assert-same.js";
import { type Reporter, Unavailable } from "../interop.js";

/** The exports of tfjs-node that these checks need. */
export interface SavedModels {
  readonly node: {
    loadSavedModel(
      folder: string,
      tags?: readonly string[],
      signature?: string,
    ): Promise<{ predict(input: tfjs.Tensor): tfjs.Tensor; dispose(): void }>;
  };
}

/** A call of a model and the output to expect. */
interface Prediction {
  readonly model: string;
  readonly signature: string;
  /** The value type of a list column with one value per row. */
  readonly type: DataType;
  readonly values: readonly (number | bigint)[];
  readonly rank: 0 | 1;
  readonly output: readonly (number | bigint)[];
}

/** Calls of models from the tests of tfjs. The first multiplies its input by 3, the second by 2, and the third by 6. */
const predictions: readonly Prediction[] = [
  {
    model: "times_three_float",
    signature: "serving_default",
    type: new Float32(),
    values: [2.5],
    rank: 0,
    output: [7.5],
  },
  {
    model: "module_with_multiple_signatures",
    signature: "timestwo",
    type: new Float32(),
    values: [2.5],
    rank: 0,
    output: [5],
  },
  {
    model: "int64_multiply",
    signature: "serving_default",
    type: new Int64(),
    values: [6n, -7n],
    rank: 1,
    // Without our fix, tfjs-node would pass -7 to the model as 2³² - 7.
    output: [36n, -42n],
  },
];

/** Passes tensors of the adapter to SavedModels, compares the predictions, and checks that no tensor leaks. */
export async function checkSavedModels(
  tf: typeof tfjs,
  { node }: SavedModels,
  dataFolder: string,
  report: Reporter,
): Promise<void> {
  for (const { model, signature, type, values, rank, output } of predictions) {
    await report.check(`the model ${model} predicts from our tensors, signature "${signature}"`, async () => {
      const folder = path.join(dataFolder, "saved_model", model);
      if (!existsSync(folder)) throw new Unavailable(`${folder} does not exist`);
      const before = tf.memory().numTensors;
      const loaded = await node.loadSavedModel(folder, ["serve"], signature);
      const column = columnTensor(tf, type, values);
      const input = rank === 0 ? tf.squeeze(column) : column;
      const predicted = loaded.predict(input);
      // The dtype of int64 results is int32 in tfjs-node, but their data is a BigInt64Array.
      const found = [...(await predicted.data<"float32">())];
      tf.dispose([column, input, predicted]);
      loaded.dispose();
      assertSame(output, found);
      const leaked = tf.memory().numTensors - before;
      if (leaked !== 0) throw new Error(`the number of tensors must not change, but it changed by ${leaked}`);
    });
  }
}

/** Converts values to a tensor of shape [numRows] with our adapter. */
function columnTensor(tf: typeof tfjs, type: DataType, values: readonly (number | bigint)[]): tfjs.Tensor {
  const lists = values.map((value) => [value]);
  const table = new Table({ x: vectorFromArray(lists, new List(new Field("item", type, true))) });
  const representation = parseMessageText(
    TensorRepresentationSchema,
    'dense_tensor { column_name: "x" shape { } }',
  );
  const adapter = new TensorAdapter({
    arrowSchema: table.schema,
    tensorRepresentations: new Map([["x", representation]]),
  });
  return adapter.toTensors(table.batches[0] as RecordBatch, { tf })["x"] as tfjs.Tensor;
}
