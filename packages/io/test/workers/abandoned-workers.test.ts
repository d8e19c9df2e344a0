import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, test } from "@jest/globals";
import { bytesSource } from "@tfxio/wire";
import { openTfxio, standardFormats } from "../../src/index.js";
import type { FromWorker } from "../../src/workers/protocol.js";
import { serveReads } from "../../src/workers/serve-reads.js";
import { SCHEMA, threeFiles } from "../fixtures.js";
import { runProgram } from "../node-program.js";
import { describeBuilt, importToy } from "../worker-formats/index.js";

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-abandoned-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const files = threeFiles().map((bytes, index) => {
  const file = path.join(folder, `${index}.tfrecord`);
  writeFileSync(file, bytes);
  return file;
});

/** Longer than an abort may take, and shorter than the time that a thread is given to stop. */
const SOON_MS = 300;
const soon = (pending: Promise<unknown>): Promise<unknown> =>
  Promise.race([
    pending.then(
      () => "resolved",
      (error: unknown) => error,
    ),
    delay(SOON_MS, "still waiting", { ref: false }),
  ]);

describeBuilt("an abort does not wait for a thread", () => {
  test("that is still loading", async () => {
    const tfxio = await openTfxio(files, { schema: SCHEMA });
    const stopping = new AbortController();
    const batches = tfxio.recordBatches({ workers: 3, signal: stopping.signal })[Symbol.asyncIterator]();
    const pending = batches.next();
    stopping.abort("enough");
    expect(await soon(pending)).toBe("enough");
    // The threads can serve the next pass.
    let numRows = 0;
    for await (const batch of tfxio.recordBatches({ workers: 3 })) numRows += batch.numRows;
    expect(numRows).toBe(30);
  });

  test("that does not stop", async () => {
    const produced = new SharedArrayBuffer(4);
    const toy = await openTfxio(bytesSource(Uint8Array.of(1), "toy:0"), {
      format: await importToy(),
      formatOptions: { batches: 1, ending: "spin", produced },
    });
    const stopping = new AbortController();
    const batches = toy.recordBatches({ workers: 1, signal: stopping.signal })[Symbol.asyncIterator]();
    await batches.next();
    while (Atomics.load(new Int32Array(produced), 0) !== -1) await delay(5);
    const pending = batches.next();
    stopping.abort("enough");
    expect(await soon(pending)).toBe("enough");
  });

  (existsSync("/proc/self/fd") ? test : test.skip)("and does not leak file descriptors", () => {
    const numLeft = runProgram(`
      import { readdirSync } from "node:fs";
      import { setTimeout as delay } from "node:timers/promises";
      import { openTfxio } from "@tfxio/io";
      const tfxio = await openTfxio(${JSON.stringify(files)});
      const before = readdirSync("/proc/self/fd").length;
      for (let pass = 0; pass < 20; pass++) {
        const stopping = new AbortController();
        setTimeout(() => stopping.abort("enough"), pass * 3);
        const reading = tfxio.recordBatches({ workers: 2, numEpochs: Infinity, signal: stopping.signal });
        try { for await (const batch of reading); } catch {}
      }
      let numLeft;
      // On a busy machine, threads that were stopped while starting take some time to close their files. A leak would not go
      // away.
      for (let tries = 0; tries < 40; tries++) {
        await delay(500);
        numLeft = readdirSync("/proc/self/fd").length - before;
        if (numLeft < 50) break;
      }
      console.log(numLeft);`);
    // Idle threads have some descriptors open: a few for each of at most eight threads.
    expect(numLeft).toBeLessThan(50);
  });
});

test("a worker ends a read when asked to, even while the source is still being opened", async () => {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const uri = `http://localhost:${(server.address() as AddressInfo).port}/never.tfrecord`;
  try {
    const messages: FromWorker[] = [];
    const post = serveReads((message) => messages.push(message), standardFormats);
    const description = {
      version: 1,
      format: { id: "tfrecord" },
      sources: [{ uri, origin: uri }],
      stores: [],
      request: {},
    } as const;
    const described = { description, options: undefined, blobs: [], isLeased: false };
    post({ kind: "open", read: 0, described });
    const split = { index: 0, uri };
    post({ kind: "read", read: 1, split, from: undefined, shuffle: undefined, credit: 2 });
    await delay(50);
    post({ kind: "stop", read: 1 });
    await delay(50);
    post({ kind: "close" });
    expect(messages.map(({ kind, read }) => [kind, read])).toEqual([
      ["end", 0],
      ["end", 1],
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
