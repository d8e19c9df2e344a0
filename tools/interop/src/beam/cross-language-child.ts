// node cross-language-child.js JOB_ENDPOINT FOLDER PYTHON: checks a Python pipeline that reads through our expansion
// service, with and without a saved query. Also checks two JavaScript pipelines that decode with that query. The checks run
// in a separate process because the SDK prints to the console.
import path from "node:path";
import { encodeExample } from "@tfxio/arrow-encoding";
import { startExpansionService } from "@tfxio/beam/expansion";
import { startWorkerPool } from "@tfxio/beam/pool";
import { parseProto } from "@tfxio/formats-protobuf";
import { openTfxio, recordToTensorTfxio } from "@tfxio/io";
import { createDataView, createRecordDecoder, protoPlaceholder } from "@tfxio/struct2tensor";
import { loadDataView, saveDataView } from "@tfxio/struct2tensor/directory";
import { writeTfRecords } from "@tfxio/wire";
import { assertSame } from "../assert-same.js";
import { runPython } from "../python.js";
import { childReporter } from "../run-in-child.js";
import { FIRST_ID } from "./functions.js";
import { readTotals, runPipeline, totalsFolder, totalsOfDecoded, totalsOfIds } from "./pipelines.js";

const [jobEndpoint = "", folder = "", python = ""] = process.argv.slice(2);
const NUM_ROWS = 100_000;

const report = childReporter();
const pool = await startWorkerPool({ modules: [path.join(import.meta.dirname, "functions.js")] });
const query = await saveQuery();
try {
  await checkPythonPipeline();
  await checkSavedQuery();
} finally {
  await pool.stop();
}
// The SDK never closes its channel to the job service, and the open channel would keep this process alive.
process.exit(0);

async function checkPythonPipeline(): Promise<void> {
  const file = path.join(folder, "cross.tfrecord");
  await writeTfRecords(examples(), file);
  const service = await startExpansionService({ workerPool: pool.address });
  const what = `our expansion service lets Python read rows, records and orders (with a saved query), ${NUM_ROWS} of each`;
  await report.check(what, async () => {
    const found = await runPython(python, "beam_read.py", [
      jobEndpoint,
      service.address,
      file,
      query.orders,
      query.directory,
    ]);
    // The ids are consecutive integers from FIRST_ID, so all of them have varints of the same length.
    const { length } = exampleOf(0);
    const ids = {
      count: NUM_ROWS,
      distinct: NUM_ROWS,
      sum: NUM_ROWS * FIRST_ID + (NUM_ROWS * (NUM_ROWS - 1)) / 2,
    };
    assertSame(
      {
        batches: ids,
        records: { count: NUM_ROWS, distinct: 1, sum: NUM_ROWS * length },
        query: ids,
        failure: "SourceError: [not-found] /none/rows.tfrecord does not exist.",
      },
      found,
    );
  });
  service.stop();
}

/** Writes a file of orders, and saves a query that reads their ids. Resolves to both paths. */
async function saveQuery(): Promise<{ readonly orders: string; readonly directory: string }> {
  const proto = 'syntax = "proto2"; package shop; message Order { optional int64 id = 1; }';
  const root = protoPlaceholder(await parseProto(proto, "shop.Order"));
  const outputs = { id: { path: "id", view: "ragged" } } as const;
  const directory = path.join(folder, "orders.dataview");
  await saveDataView(await createDataView(root, { outputs }), directory);
  const orders = path.join(folder, "orders.tfrecord");
  await writeTfRecords(orderMessages(), orders);
  return { orders, directory };
}

async function checkSavedQuery(): Promise<void> {
  const engine = { jobEndpoint, workerPool: pool.address };
  const decoder = createRecordDecoder(await loadDataView(query.directory));
  const what = `with a saved query, our workers read ${NUM_ROWS} orders from parts of one file`;
  await report.check(what, async () => {
    const tfxio = await recordToTensorTfxio({ sources: query.orders, decoder });
    const totals = await totalsFolder(folder, "orders");
    await runPipeline(engine, totalsOfIds(tfxio, totals, -1, 500_000));
    await tfxio.close();
    await assertOrders(totals);
  });
  await report.check(`a saved query decodes ${NUM_ROWS} records of a collection`, async () => {
    const tfxio = await openTfxio(query.orders, { format: "tfrecord-raw" });
    const totals = await totalsFolder(folder, "decoded");
    await runPipeline(engine, totalsOfDecoded(tfxio, decoder, totals));
    await tfxio.close();
    await assertOrders(totals);
  });
}

async function assertOrders(totals: string): Promise<void> {
  const found = await readTotals(totals);
  const keys = new Set(found.map(({ key }) => key)).size;
  const [count, sum] = [total(found, "count"), total(found, "sum")];
  assertSame({ keys: 16, count: NUM_ROWS, sum: (NUM_ROWS * (NUM_ROWS - 1)) / 2 }, { keys, count, sum });
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

/** Yields encoded orders with an id in field 1. The varint takes 6 bytes because ids start at 2^40. */
function* orderMessages(): Generator<Uint8Array> {
  for (let row = 0; row < NUM_ROWS; row++) {
    const bytes = [0x08];
    let rest = BigInt(FIRST_ID + row);
    for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
    yield Uint8Array.from([...bytes, Number(rest)]);
  }
}
