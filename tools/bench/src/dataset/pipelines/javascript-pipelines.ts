import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import * as tfData from "@tensorflow/tfjs-data";
import { type Dataset, fromItems, fromRecordBatches } from "@tfxio/dataset";
import { openTfxio } from "@tfxio/io";
import { parseSchemaText } from "@tfxio/schema";
import { BenchError } from "../../measurement.js";
import type { ColumnSpec } from "../../sets/bench-set.js";
import {
  batchSize,
  bufferSize,
  type PipelineInput,
  type PipelineName,
  type PipelineRun,
  type PipelineSubject,
} from "./pipeline-subject.js";
import { arrowSchema, type Row, tableBatches, tableRows, toHost } from "./table-rows.js";

/** A source of batches of tensors. Both our datasets and those of tfjs-data have this type. */
interface Batches {
  iterator(): Promise<{ next(): Promise<{ readonly value: unknown; readonly done?: boolean | undefined }> }>;
}

const doubled = (row: Row): Row => ({ ...row, x0: row.x0 * 2 });

/** The JavaScript subjects: our datasets over record batches or a file, our datasets over objects, and tfjs-data over objects. */
export const javascriptSubjects: readonly PipelineSubject[] = [
  {
    name: "ours",
    mostRows: Number.POSITIVE_INFINITY,
    pipelines: ["batch", "shuffle", "map", "tfrecord"],
    prepare,
    run: async (pipeline, input) =>
      pipeline === "tfrecord" ? runFile(input) : timed(ours(pipeline, recordRows(input.numRows))),
  },
  {
    name: "ours:items",
    mostRows: Number.POSITIVE_INFINITY,
    pipelines: ["batch", "shuffle", "map"],
    prepare,
    run: async (pipeline, { numRows }) => timed(ours(pipeline, fromItems(rowsOf(numRows)))),
  },
  {
    name: "tfjs-data",
    mostRows: 50_000,
    pipelines: ["batch", "shuffle", "map"],
    prepare,
    run: async (pipeline, { numRows }) => {
      const rows = tfData.array(rowsOf(numRows) as never);
      const piped =
        pipeline === "shuffle"
          ? rows.shuffle(bufferSize, "1")
          : pipeline === "map"
            ? rows.map(doubled as never)
            : rows;
      return timed(piped.batch(batchSize));
    },
  },
];

async function prepare(): Promise<{ readonly version: string }> {
  await tf.setBackend("cpu");
  return { version: `TensorFlow.js ${tf.version_core}` };
}

const batchesBySize = new Map<number, ReturnType<typeof tableBatches>>();
function recordRows(numRows: number): Dataset<Row> {
  const batches = batchesBySize.get(numRows) ?? tableBatches(numRows);
  batchesBySize.set(numRows, batches);
  return fromRecordBatches(() => batches, {
    arrowSchema,
    toHost,
    independentRows: true,
  }) as unknown as Dataset<Row>;
}

const rowsBySize = new Map<number, readonly Row[]>();
function rowsOf(numRows: number): readonly Row[] {
  const rows = rowsBySize.get(numRows) ?? tableRows(numRows);
  rowsBySize.set(numRows, rows);
  return rows;
}

function ours(pipeline: PipelineName, rows: Dataset<Row>): Batches {
  const piped =
    pipeline === "shuffle"
      ? rows.shuffle(bufferSize, { seed: 1 })
      : pipeline === "map"
        ? rows.map(doubled)
        : rows;
  return piped.batch(batchSize).withTensors({ tf });
}

/**
 * Returns a schema in which every feature is required and has exactly one value. The other subjects also read each feature as one
 * required value.
 */
function schemaOf(columns: readonly ColumnSpec[]): ReturnType<typeof parseSchemaText> {
  const features = columns.map(({ name, kind }) => {
    const type = { int64: "INT", float: "FLOAT", bytes: "BYTES" }[kind];
    return `feature { name: "${name}" type: ${type} presence { min_fraction: 1 } shape { dim { size: 1 } } }`;
  });
  return parseSchemaText(features.join("\n"));
}

async function runFile({ path = "", columns = [] }: PipelineInput): Promise<PipelineRun> {
  const tfxio = await openTfxio(path, { schema: schemaOf(columns) });
  try {
    return await timed(
      tfxio.dataset({ batchSize, shuffleBufferSize: bufferSize, shuffleSeed: 1, workers: 0, tf }),
      "label",
    );
  } finally {
    await tfxio.close();
  }
}

/**
 * Iterates over all batches and disposes them. The time is the processor time of the whole process, so it includes garbage
 * collection, but not waiting.
 * @param label Name of the tensor whose first dimension is the number of rows.
 * @throws {BenchError} if tensors remain in memory after the pass.
 */
async function timed(batches: Batches, label = "y"): Promise<PipelineRun> {
  const before = process.cpuUsage();
  const iterator = await batches.iterator();
  let numRows = 0;
  for (;;) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    numRows += (value as Readonly<Record<string, tf.Tensor>>)[label]?.shape[0] ?? 0;
    tf.dispose(value as tf.TensorContainer);
  }
  const { user, system } = process.cpuUsage(before);
  if (tf.memory().numTensors > 0)
    throw new BenchError(`dataset: ${tf.memory().numTensors} tensors were not disposed`);
  return { seconds: (user + system) / 1e6, numRows };
}
