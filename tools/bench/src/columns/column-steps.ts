import { createExampleEncoder, encodeExample, type FeatureValues } from "@tfxio/arrow-encoding";
import { openTfxio, type Tfxio } from "@tfxio/io";
import { explain, parseSchemaText, type Schema } from "@tfxio/schema";
import type { TensorAdapter } from "@tfxio/tensor-adapter";
import { encodeTfRecords } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";

const numRows = 2;

/** Two tf.Examples with many integer features, and the objects that the steps use. */
export interface WideData {
  readonly names: readonly string[];
  readonly schema: Schema;
  /** A TFRecord file of both Examples. */
  readonly file: Uint8Array;
  readonly tfxio: Tfxio;
  readonly adapter: TensorAdapter;
  /** Both rows. */
  readonly batch: RecordBatch;
}

/** A step of a program that reads data. Each step is timed separately. */
export interface ColumnStep {
  readonly name: string;
  /** Runs the step once. The caller awaits the result, so it may be a promise. */
  run(data: WideData): unknown;
}

/** Creates data of `numColumns` features, each a dense tensor of one value. */
export async function createWideData(numColumns: number): Promise<WideData> {
  const names = Array.from({ length: numColumns }, (_, index) => `feature_${index}`);
  const schema = parseSchemaText(
    names
      .map(
        (name) =>
          `feature { name: "${name}" type: INT shape { dim { size: 1 } } presence { min_fraction: 1 } }`,
      )
      .join("\n"),
  );
  const values: FeatureValues = { kind: "int64", values: [7] };
  const record = encodeExample(Object.fromEntries(names.map((name) => [name, values])));
  const file = await encodeTfRecords(Array.from({ length: numRows }, () => record));
  const tfxio = await openWide(file, { schema });
  const [batch] = await batchesOf(tfxio.recordBatches({ workers: 0 }));
  return { names, schema, file, tfxio, adapter: tfxio.tensorAdapter(), batch: batch as RecordBatch };
}

/** All steps, in the order in which a program takes them. */
export const columnSteps: readonly ColumnStep[] = [
  { name: "infer", run: ({ file }) => openWide(file, { inferSchema: "full" }) },
  { name: "open", run: ({ file, schema }) => openWide(file, { schema }) },
  { name: "schema-explain", run: ({ schema }) => explain(schema) },
  {
    name: "adapter",
    run: async ({ file, schema }) => (await openWide(file, { schema })).tensorAdapter(),
  },
  { name: "explain", run: ({ adapter, batch }) => adapter.explain(batch) },
  { name: "batches", run: ({ tfxio }) => batchesOf(tfxio.recordBatches({ workers: 0 })) },
  { name: "slices", run: ({ tfxio }) => batchesOf(tfxio.recordBatches({ batchSize: 1, workers: 0 })) },
  { name: "to-host", run: ({ adapter, batch }) => adapter.toHost(batch) },
  { name: "dataset", run: ({ tfxio }) => batchesOf(tfxio.dataset({ batchSize: 1, workers: 0 })) },
  {
    name: "project",
    run: async ({ tfxio, names }) => {
      const half = tfxio.project(names.filter((_, index) => index % 2 === 0));
      half.tensorAdapter();
      return batchesOf(half.recordBatches({ workers: 0 }));
    },
  },
  { name: "encode", run: ({ batch }) => createExampleEncoder().encode(batch) },
];

function openWide(file: Uint8Array, options: Parameters<typeof openTfxio>[1]): Promise<Tfxio> {
  return openTfxio(file, options);
}

async function batchesOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
