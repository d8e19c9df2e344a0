import net from "node:net";
import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { type RecordBatchServer, type ServedPass, serveRecordBatches } from "@tfxio/formats-arrow/serve";
import { type RecordBatch, Table, vectorFromArray } from "apache-arrow";
import { ArrowStreamDataset } from "../../src/arrow/index.js";

beforeAll(async () => {
  tf.env().set("IS_TEST", true); // Suppresses the advice to install tfjs-node.
  await tf.setBackend("cpu");
});

const [batch] = new Table({ x: vectorFromArray(Float32Array.of(1, 2, 3)) }).batches as [RecordBatch];
const passes: ServedPass[] = [];
let server: RecordBatchServer | undefined;
afterEach(async () => {
  await server?.close();
  passes.length = 0;
});

async function serving(batches: () => AsyncIterable<RecordBatch> | Iterable<RecordBatch>): Promise<string> {
  server = await serveRecordBatches(batches, {
    arrowSchema: batch.schema,
    onPass: (pass) => passes.push(pass),
    onError: () => {},
  });
  return server.endpoint;
}

async function eventually(holds: () => boolean): Promise<void> {
  for (let time = 0; !holds(); time++) {
    if (time > 1000) throw new Error(`the condition never holds: ${String(holds)}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

function* endless(): Generator<RecordBatch> {
  for (;;) yield batch;
}

test("each pass opens one connection, at its first element", async () => {
  let numConnections = 0;
  const endpoint = await serving(() => {
    numConnections++;
    return [batch, batch];
  });
  const dataset = new ArrowStreamDataset(endpoint, { as: "dict" });
  const unread = await dataset.iterator();
  expect(numConnections).toBe(0);
  await unread.return();
  for (let pass = 1; pass <= 3; pass++) {
    expect(await dataset.toArray()).toHaveLength(6);
    expect(numConnections).toBe(pass);
  }
});

test("a pass that ends early closes its connection", async () => {
  const dataset = new ArrowStreamDataset(await serving(endless), { batchSize: 2 })
    .withTensors({ tf })
    .prefetch(3);
  const before = tf.memory().numTensors;
  for await (const element of dataset) {
    tf.dispose(element as tf.TensorContainer);
    break;
  }
  await eventually(() => passes.length === 1);
  expect(passes[0]?.outcome).toBe("client-left");
  expect(tf.memory().numTensors).toBe(before);
});

test("reading ahead is bounded, so the server waits for the consumer", async () => {
  let numBatches = 0;
  const [large] = new Table({ x: vectorFromArray(new Float32Array(65_536)) }).batches as [RecordBatch];
  const endpoint = await serving(function* batches() {
    for (;;) {
      numBatches++;
      yield large;
    }
  });
  const dataset = new ArrowStreamDataset(endpoint, { batchMode: "auto" }).prefetch(2);
  const iterator = await dataset.iterator();
  await iterator.next();
  let before = -1;
  while (numBatches !== before) {
    before = numBatches;
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
  }
  // The operating system buffers a few MB for both ends together. A batch takes up 256 KiB.
  expect(numBatches).toBeLessThan(128);
  await iterator.return();
});

describe("if a server disconnects early,", () => {
  test("the pass yields the rows that arrived, then fails, and leaks no tensor", async () => {
    const endpoint = await serving(async function* batches() {
      yield batch;
      yield batch;
      throw new RangeError("killed");
    });
    const before = tf.memory().numTensors;
    const dataset = new ArrowStreamDataset(endpoint, { batchMode: "auto" }).withTensors({ tf });
    let numElements = 0;
    await expect(
      (async () => {
        for await (const element of dataset) {
          numElements++;
          tf.dispose(element as tf.TensorContainer);
        }
      })(),
    ).rejects.toMatchObject({ code: "truncated-record", uri: endpoint });
    expect(numElements).toBe(2);
    expect(tf.memory().numTensors).toBe(before);
  });

  test("the error names its endpoint, here the second of two", async () => {
    const endpoint = await serving(() => [batch]);
    const dead = net.createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => dead.listen(0, "127.0.0.1", resolve));
    const second = `127.0.0.1:${(dead.address() as net.AddressInfo).port}`;
    const dataset = new ArrowStreamDataset([endpoint, second]);
    await expect(dataset.toArray()).rejects.toMatchObject({ code: "truncated-record", uri: second });
    await new Promise((resolve) => dead.close(resolve));
  });
});

test("a pass ends with the signal's reason if the signal is aborted while a batch is awaited", async () => {
  const endpoint = await serving(async function* batches() {
    yield batch;
    await new Promise(() => {});
  });
  const controller = new AbortController();
  const iterator = await new ArrowStreamDataset(endpoint, { batchMode: "auto" }).iterator({
    signal: controller.signal,
  });
  expect((await iterator.next()).done).toBe(false);
  setTimeout(() => controller.abort("enough"), 20);
  await expect(iterator.next()).rejects.toBe("enough");
  await eventually(() => passes.length === 1);
});

test.each([
  ["text that is not an endpoint", "nohost", {}],
  ['an endpoint with the scheme "constructor", a property of every object,', "constructor://h:1", {}],
  ["an empty list of endpoints", [], {}],
  ["an unknown option", "h:1", { colour: 1 }],
  ["an unknown batch mode", "h:1", { batchMode: "some" }],
  ["a batch size of 0", "h:1", { batchSize: 0 }],
  ["a timeout that is not a number", "h:1", { idleTimeoutMs: "1" }],
])("%s is rejected at the call", (_, endpoints, options) => {
  expect(() => new ArrowStreamDataset(endpoints, options as never)).toThrow("[invalid-argument]");
});
