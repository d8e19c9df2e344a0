// Trains on a stream of record batches: one process reads, scales and serves CSV files, and another trains on the stream.
//
//   train.js                                            writes CSV files, serves them from a child process, and trains
//   train.js serve DIRECTORY [tcp|unix [PAUSE_MS]]      serves the files; prints the endpoint, then a line for each pass
//   train.js train ENDPOINT                             trains on the stream of an endpoint
//   train.js local DIRECTORY                            trains on the same batches in this process, without a stream
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import * as tfl from "@tensorflow/tfjs-layers";
import { Field, Float64, Int64, makeData, RecordBatch, Schema, Struct } from "apache-arrow";
import { isTfxioError, openTfxio } from "tfxio";
import { serveRecordBatches } from "tfxio/arrow-files/serve";
import type { Dataset } from "tfxio/dataset";
import { ArrowDataset, ArrowStreamDataset } from "tfxio/dataset/arrow";

const arrowSchema = new Schema([
  new Field("label", new Int64(), false),
  new Field("x0", new Float64(), false),
  new Field("x1", new Float64(), false),
]);

/** Yields the scaled batches of every CSV file in a directory, in the order of the file names. Waits `pauseMs` before each batch. */
async function* readDirectory(directory: string, pauseMs = 0): AsyncGenerator<RecordBatch> {
  const files = (await readdir(directory)).filter((name) => name.endsWith(".csv")).sort();
  for (const file of files) {
    for await (const batch of readAndScale(path.join(directory, file))) {
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      yield batch;
    }
  }
}

/** Yields the batches of a file, with x0 and x1 scaled to mean 0 and standard deviation 1. Reads the file twice. */
async function* readAndScale(file: string): AsyncGenerator<RecordBatch> {
  const csv = await openTfxio(file);
  const sums = { x0: new Moments(), x1: new Moments() };
  for await (const batch of csv.recordBatches({ batchSize: 64 })) {
    for (const name of ["x0", "x1"] as const) sums[name].add(numbersOf(batch, name));
  }
  for await (const batch of csv.recordBatches({ batchSize: 64 })) {
    const label = BigInt64Array.from(numbersOf(batch, "label"), BigInt);
    yield batchOf(label, sums.x0.scaled(numbersOf(batch, "x0")), sums.x1.scaled(numbersOf(batch, "x1")));
  }
}

/** Mean and standard deviation of the added values, by Welford's algorithm. */
class Moments {
  #count = 0;
  #mean = 0;
  #squares = 0;

  add(values: readonly number[]): void {
    for (const value of values) {
      const difference = value - this.#mean;
      this.#mean += difference / ++this.#count;
      this.#squares += difference * (value - this.#mean);
    }
  }

  /** Subtracts the mean from each value and divides by the standard deviation. The values of a constant column become 0. */
  scaled(values: readonly number[]): Float64Array {
    const deviation = Math.sqrt(this.#squares / this.#count) || 1;
    return Float64Array.from(values, (value) => (value - this.#mean) / deviation);
  }
}

/** Returns the values of a column that has a list of exactly one value in each row. */
function numbersOf(batch: RecordBatch, name: string): number[] {
  return Array.from(batch.getChild(name) as Iterable<Iterable<number | bigint>>, ([value]) => Number(value));
}

function batchOf(label: BigInt64Array, x0: Float64Array, x1: Float64Array): RecordBatch {
  const { length } = label;
  const children = [
    makeData({ type: new Int64(), length, nullCount: 0, data: label }),
    makeData({ type: new Float64(), length, nullCount: 0, data: x0 }),
    makeData({ type: new Float64(), length, nullCount: 0, data: x1 }),
  ];
  const type = new Struct(arrowSchema.fields);
  return new RecordBatch(arrowSchema, makeData({ type, length, nullCount: 0, children }));
}

async function serve(directory: string, transport: "tcp" | "unix", pauseMs: number): Promise<void> {
  const server = await serveRecordBatches(() => readDirectory(directory, pauseMs), {
    arrowSchema,
    transport,
    onPass: ({ outcome, numBatches, numRows }) => {
      console.log(`pass ${outcome}: ${numBatches} batches, ${numRows} rows`);
    },
  });
  console.log(server.endpoint);
  // The parent process disconnects when it has finished training.
  process.once("disconnect", () => void server.close());
  process.send?.(server.endpoint);
}

const options = { columns: [0, 1, 2], batchMode: "auto" } as const;

/** Converts each batch `[label, x0, x1]` to float32 tensors `{ xs: [n, 2], ys: [n, 1] }`, as `fitDataset` expects. */
function trainable(dataset: Dataset<unknown>): Dataset<unknown> {
  return dataset.withTensors({ tf, float64: "float32-lossy" }).map((element) => {
    const [label, x0, x1] = element as [tf.Tensor1D, tf.Tensor1D, tf.Tensor1D];
    return { xs: tf.stack([x0, x1], 1), ys: tf.cast(tf.expandDims(label, 1), "float32") };
  });
}

async function train(dataset: Dataset<unknown>): Promise<void> {
  tf.env().set("IS_TEST", true); // prevents the advice to install tfjs-node
  await tf.setBackend("cpu");
  const model = tfl.sequential();
  const kernelInitializer = tfl.initializers.glorotNormal({ seed: 7 });
  model.add(tfl.layers.dense({ units: 1, inputShape: [2], activation: "sigmoid", kernelInitializer }));
  model.compile({ optimizer: "sgd", loss: "meanSquaredError" });
  const numTensors = tf.memory().numTensors;
  await model.fitDataset(dataset as Parameters<typeof model.fitDataset>[0], {
    epochs: 5,
    callbacks: {
      onEpochBegin: (epoch) => console.log(`epoch ${epoch + 1}`),
      onEpochEnd: (_, logs) => console.log(`loss ${logs?.["loss"]}`),
    },
  });
  const weights = model.getWeights().flatMap((weight) => [...weight.dataSync()]);
  console.log(`weights ${weights.join(" ")}`);
  console.log(`tensors ${tf.memory().numTensors - numTensors}`);
}

/** Writes 2,000 rows of two classes to three CSV files, and a text file that must be ignored. */
async function writeCsvFiles(directory: string): Promise<void> {
  let state = 1;
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (const [name, numRows] of [
    ["a.csv", 1000],
    ["b.csv", 700],
    ["c.csv", 300],
  ] as const) {
    const rows = Array.from({ length: numRows }, () => {
      const label = random() < 0.5 ? 0 : 1;
      return `${label},${random() * 4 + 5 * label},${random() * 4 + 5 * label}`;
    });
    await writeFile(path.join(directory, name), `label,x0,x1\n${rows.join("\n")}\n`);
  }
  await writeFile(path.join(directory, "notes.txt"), "not data");
}

async function trainRemotely(): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), "arrow-training-"));
  await writeCsvFiles(directory);
  const server = fork(fileURLToPath(import.meta.url), ["serve", directory]);
  try {
    const [endpoint] = (await once(server, "message")) as [string];
    await train(trainable(new ArrowStreamDataset(endpoint, options)));
  } finally {
    server.disconnect();
    await once(server, "exit");
    await rm(directory, { recursive: true });
  }
}

const [command, place = "", transport = "tcp", pauseMs = "0"] = process.argv.slice(2);
try {
  if (command === "serve") await serve(place, transport as "tcp" | "unix", Number(pauseMs));
  else if (command === "train") await train(trainable(new ArrowStreamDataset(place, options)));
  else if (command === "local")
    await train(trainable(ArrowDataset.fromRecordBatches(() => readDirectory(place), options)));
  else await trainRemotely();
} catch (error) {
  if (!isTfxioError(error)) throw error;
  console.error(`${error.code} ${error.reason}: ${error.message}`);
  process.exitCode = 1;
}
