// node cross-language-child.js JOB_ENDPOINT FOLDER PYTHON: a pipeline in Python that reads through our expansion service, and one
// of ours that reads by a saved query. In a process of their own because the SDK prints to its console.
import path from "node:path";
import { encodeExample } from "@tfxio/arrow-encoding";
import { startExpansionService } from "@tfxio/beam/expansion";
import { startWorkerPool } from "@tfxio/beam/pool";
import { parseProto } from "@tfxio/formats-protobuf";
import { recordToTensorTfxio } from "@tfxio/io";
import { createDataView, createRecordDecoder, protoPlaceholder } from "@tfxio/struct2tensor";
import { loadDataView, saveDataView } from "@tfxio/struct2tensor/directory";
import { writeTfRecords } from "@tfxio/wire";
import { assertSame } from "../assert-same.js";
import { runPython } from "../python.js";
import { childReporter } from "../run-in-child.js";
import { FIRST_ID } from "./functions.js";
import { readTotals, runPipeline, totalsFolder, totalsOfIds } from "./pipelines.js";

const [jobEndpoint = "", folder = "", python = ""] = process.argv.slice(2);
const NUM_ROWS = 100_000;

const report = childReporter();
const pool = await startWorkerPool({ modules: [path.join(import.meta.dirname, "functions.js")] });
try {
  await checkPythonPipeline();
  await checkSavedQuery();
} finally {
  await pool.stop();
}
// The SDK leaves its channel to the job service open.
process.exit(0);

async function checkPythonPipeline(): Promise<void> {
  const file = path.join(folder, "cross.tfrecord");
  await writeTfRecords(examples(), file);
  const service = await startExpansionService({ workerPool: pool.address });
  const what = `a pipeline in Python reads ${NUM_ROWS} rows, and as many records, through our expansion service`;
  await report.check(what, async () => {
    const found = await runPython(python, "beam_read.py", [jobEndpoint, service.address, file]);
    // Ids count up from FIRST_ID; every record has the same length.
    const { length } = exampleOf(0);
    assertSame(
      {
        batches: {
          count: NUM_ROWS,
          distinct: NUM_ROWS,
          sum: NUM_ROWS * FIRST_ID + (NUM_ROWS * (NUM_ROWS - 1)) / 2,
        },
        records: { count: NUM_ROWS, distinct: 1, sum: NUM_ROWS * length },
        failure: "SourceError: [not-found] /none/rows.tfrecord does not exist.",
      },
      found,
    );
  });
  service.stop();
}

async function checkSavedQuery(): Promise<void> {
  await report.check(
    `a saved query reads ${NUM_ROWS} orders on our workers, in parts of one file`,
    async () => {
      const proto = 'syntax = "proto2"; package shop; message Order { optional int64 id = 1; }';
      const orders = protoPlaceholder(await parseProto(proto, "shop.Order"));
      const outputs = { id: { path: "id", view: "ragged" } } as const;
      const directory = path.join(folder, "orders.dataview");
      await saveDataView(await createDataView(orders, { outputs }), directory);
      const file = path.join(folder, "orders.tfrecord");
      await writeTfRecords(orderMessages(), file);
      const decoder = createRecordDecoder(await loadDataView(directory));
      const tfxio = await recordToTensorTfxio({ sources: file, decoder });
      const totals = await totalsFolder(folder, "orders");
      await runPipeline({ jobEndpoint, workerPool: pool.address }, totalsOfIds(tfxio, totals, -1, 500_000));
      await tfxio.close();
      const found = await readTotals(totals);
      const keys = new Set(found.map(({ key }) => key)).size;
      const [count, sum] = [total(found, "count"), total(found, "sum")];
      assertSame({ keys: 16, count: NUM_ROWS, sum: (NUM_ROWS * (NUM_ROWS - 1)) / 2 }, { keys, count, sum });
    },
  );
}

function total<Name extends string>(all: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return all.reduce((sum, each) => sum + each[name], 0);
}

function* examples(): Generator<Uint8Array> {
  for (let row = 0; row < NUM_ROWS; row++) yield exampleOf(row);
}

function exampleOf(row: number): Uint8Array {
  return encodeExample({ id: { kind: "int64", values: [FIRST_ID + row] } });
}

/** Orders on the wire: field 1 as a varint, which has 6 bytes for ids from 2^40 on. */
function* orderMessages(): Generator<Uint8Array> {
  for (let row = 0; row < NUM_ROWS; row++) {
    const bytes = [0x08];
    let rest = BigInt(FIRST_ID + row);
    for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
    yield Uint8Array.from([...bytes, Number(rest)]);
  }
}
