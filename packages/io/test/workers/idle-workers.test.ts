import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { bytesSource } from "@tfxio/wire";
import { openTfxio, type Tfxio } from "../../src/index.js";
import { collect, SCHEMA, threeFiles } from "../fixtures.js";
import { describeBuilt, importToy, type ToyOptions } from "../worker-formats/index.js";

async function openToy(options: Partial<ToyOptions>, numSources = 1): Promise<Tfxio> {
  const sources = Array.from({ length: numSources }, (_, i) => bytesSource(Uint8Array.of(i), `toy:${i}`));
  return openTfxio(sources, { format: await importToy(), formatOptions: { ...options } });
}

/** Returns the ids of the threads that read a pass. */
async function threadsOf(tfxio: Tfxio, workers: number): Promise<ReadonlySet<number>> {
  const batches = await collect(tfxio.recordBatches({ workers }));
  return new Set(batches.map((batch) => Number(batch.getChild("thread")?.get(0))));
}

describeBuilt("a worker thread", () => {
  test("serves one pass after another, of the same TFXIO and of other TFXIOs", async () => {
    const toy = await openToy({ batches: 2 }, 2);
    const first = await threadsOf(toy, 2);
    expect(first.size).toBe(2);
    expect(await threadsOf(toy, 2)).toEqual(first);
    expect([...first]).toEqual(expect.arrayContaining([...(await threadsOf(await openToy({}), 1))]));
    const examples = await openTfxio(threeFiles(), { schema: SCHEMA });
    expect(await collect(examples.recordBatches({ workers: 2 }))).toHaveLength(3);
    expect(await threadsOf(toy, 2)).toEqual(first);
  });

  test("is not shared by simultaneous passes", async () => {
    const toy = await openToy({ batches: 3 });
    const [one, other] = await Promise.all([threadsOf(toy, 1), threadsOf(toy, 1)]);
    expect([...one, ...other]).toHaveLength(2);
    expect(one).not.toEqual(other);
  });

  test("is kept when the caller leaves a loop over batches, or a read fails", async () => {
    const endless = await openToy({ batches: 1000 });
    let left = new Set<number>();
    for await (const batch of endless.recordBatches({ workers: 1 })) {
      left = new Set([Number(batch.getChild("thread")?.get(0))]);
      break;
    }
    const failing = await openToy({ batches: 1, ending: "type-error" });
    await expect(collect(failing.recordBatches({ workers: 1 }))).rejects.toThrow("a plain one");
    expect(await threadsOf(await openToy({}), 1)).toEqual(left);
  });

  test("is not kept if it does not stop reading, or if it has exited", async () => {
    const before = await threadsOf(await openToy({}), 1);
    const produced = new SharedArrayBuffer(4);
    const deaf = await openToy({ batches: 1, ending: "spin", produced });
    for await (const batch of deaf.recordBatches({ workers: 1 })) {
      expect(batch.numRows).toBe(1);
      while (Atomics.load(new Int32Array(produced), 0) !== -1) await delay(5);
      break;
    }
    const after = await threadsOf(await openToy({}), 1);
    expect(after).not.toEqual(before);
    const ending = await openToy({ batches: 1, ending: "exit" });
    await expect(collect(ending.recordBatches({ workers: 1 }))).rejects.toMatchObject({
      reason: "worker-failed",
    });
    expect(await threadsOf(await openToy({}), 1)).not.toEqual(after);
  });

  test("closes its reader at the end of a pass", async () => {
    const closed = new SharedArrayBuffer(4);
    const toy = await openToy({ closed }, 2);
    const threads = await threadsOf(toy, 2);
    // A thread closes its reader before the next pass. Each of the two threads opened one reader for both sources.
    expect(await threadsOf(await openToy({}, 2), 2)).toEqual(threads);
    expect(Atomics.load(new Int32Array(closed), 0)).toBe(2);
  });
});

describeBuilt("an iterator", () => {
  test.each([0, 1])(
    "ends a pending read when its return() is called, with `workers: %i`",
    async (workers) => {
      const toy = await openToy({ batches: 1, ending: "stall" });
      const batches = toy.recordBatches({ workers })[Symbol.asyncIterator]();
      await batches.next();
      const pending = batches.next();
      expect(await batches.return?.()).toEqual({ done: true, value: undefined });
      expect(await pending).toEqual({ done: true, value: undefined });
    },
  );
});
