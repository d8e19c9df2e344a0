import type { Dataset } from "@tfxio/dataset";
import type { Tfxio } from "@tfxio/io";
import * as tf from "@tensorflow/tfjs-core";
import * as layers from "@tensorflow/tfjs-layers";

const BATCH_SIZE = 16;

/** A classification task. */
export interface Task {
  readonly label: string;
  /** Names of the input tensors. */
  readonly inputs: readonly string[];
  readonly numClasses: number;
}

/** A dataset of `{ xs, ys }` batches, as `fitDataset` requires. */
export type Batches = Dataset<{ readonly xs: unknown; readonly ys: unknown }>;

/** Returns batches of all rows, which are shuffled again in each pass. */
export function allRows(tfxio: Tfxio, { label, inputs }: Task): Batches {
  const int64 = { ...Object.fromEntries(integersOf(tfxio, inputs)), [label]: "float32" } as const;
  return tfxio.dataset({ batchSize: BATCH_SIZE, labelKey: label, shuffleSeed: 1, tf, int64 }) as Batches;
}

/** Returns the conversion of each integer input. All are rounded to float32, because the model computes in float32 anyway. */
function integersOf(tfxio: Tfxio, inputs: readonly string[]): (readonly [string, "float32-lossy"])[] {
  const specs = tfxio.tensorAdapter().typeSpecs();
  return inputs.filter((name) => specs.get(name)?.dtype === "int64").map((name) => [name, "float32-lossy"]);
}

/** Creates a small classifier. It flattens, concatenates and normalizes the inputs, and has one hidden layer and a softmax. */
export function createModel(tfxio: Tfxio, { inputs, numClasses }: Task): layers.LayersModel {
  const specs = tfxio.tensorAdapter().typeSpecs();
  const seed = 1;
  const initializer = (): ReturnType<typeof layers.initializers.glorotUniform> =>
    layers.initializers.glorotUniform({ seed });
  const symbols = inputs.map((name) => {
    const shape = (specs.get(name)?.shape ?? []).slice(1);
    return layers.input({ shape: shape.length === 0 ? [1] : [...shape], name });
  });
  const flat = symbols.map((symbol) =>
    symbol.shape.length > 2 ? (layers.layers.flatten().apply(symbol) as layers.SymbolicTensor) : symbol,
  );
  const joined =
    flat.length === 1
      ? (flat[0] as layers.SymbolicTensor)
      : (layers.layers.concatenate().apply(flat) as layers.SymbolicTensor);
  const normalized = layers.layers.batchNormalization({ momentum: 0.9 }).apply(joined);
  const hidden = layers.layers
    .dense({ units: 32, activation: "relu", kernelInitializer: initializer() })
    .apply(normalized);
  const output = layers.layers
    .dense({ units: numClasses, activation: "softmax", kernelInitializer: initializer() })
    .apply(hidden) as layers.SymbolicTensor;
  const model = layers.model({ inputs: symbols, outputs: output });
  model.compile({
    optimizer: tf.train.adam(0.005),
    loss: "sparseCategoricalCrossentropy",
    metrics: ["accuracy"],
  });
  return model;
}

/** Trains the model. Resolves to the training loss of each epoch. */
export async function train(
  model: layers.LayersModel,
  batches: Batches,
  epochs: number,
  onEpoch: (epoch: number, loss: number) => void,
): Promise<number[]> {
  const losses: number[] = [];
  await model.fitDataset(batches, {
    epochs,
    verbose: 0,
    callbacks: {
      onEpochEnd: async (epoch, logs) => {
        losses.push(logs?.["loss"] ?? Number.NaN);
        onEpoch(epoch, losses.at(-1) ?? Number.NaN);
      },
    },
  });
  return losses;
}

/** Resolves to the accuracy, from 0 to 1, of the model on a set of rows. */
export async function evaluate(model: layers.LayersModel, batches: Batches): Promise<number> {
  const results = (await model.evaluateDataset(batches, {})) as tf.Scalar[];
  const [, accuracy] = await Promise.all(
    results.map(async (scalar) => (await scalar.data())[0] ?? Number.NaN),
  );
  tf.dispose(results);
  return accuracy ?? Number.NaN;
}
