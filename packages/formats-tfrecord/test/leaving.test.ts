import { afterAll, afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeExample } from "@tfxio/arrow-encoding";
import type { ReadPlan, Reader, ReadOptions } from "@tfxio/format";
import { tfrecord } from "@tfxio/formats-tfrecord";
import { encodeTfRecords, openSources } from "@tfxio/wire";

// Each test stops reading a file before its end, or never starts to read it. Afterwards, no file may be open, and no promise may
// have been rejected without a handler.

const folder = mkdtempSync(path.join(tmpdir(), "tfxio-leaving-"));
afterAll(() => rmSync(folder, { recursive: true }));

// Noise, so that the file has several chunks even when compressed.
let state = 1;
const noise = (): Uint8Array =>
  Uint8Array.from({ length: 50_000 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
const records = Array.from({ length: 60 }, () =>
  encodeExample({ noise: { kind: "bytes", values: [noise()] } }),
);

/** Returns the files of `folder` that this process has open. Works only on Linux; elsewhere the list is empty. */
function openFiles(): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.startsWith(folder) ? [file] : [];
    } catch {
      return []; // The descriptor of the directory listing, which is already closed.
    }
  });
}

describe.each(["none", "gzip"] as const)(
  "a read of a file with compression %s leaves no file open if",
  (compression) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => {
      unhandled.push(reason);
    };
    let reader: Reader;
    let plan: ReadPlan;

    beforeEach(async () => {
      process.on("unhandledRejection", note);
      const file = path.join(folder, `noise-${compression}.tfrecord`);
      writeFileSync(file, await encodeTfRecords(records, { compression }));
      reader = await tfrecord.open(await openSources(file));
      plan = await reader.plan({ batchSize: 4 });
    });

    afterEach(async () => {
      await reader.close();
      await sleep(20);
      // A read that ended during a request closes its file when the system responds.
      for (let waited = 0; openFiles().length > 0 && waited < 5_000; waited += 20) await sleep(20);
      process.off("unhandledRejection", note);
      expect(unhandled).toEqual([]);
      expect(openFiles()).toEqual([]);
    });

    const read = (options?: ReadOptions) => plan.read(plan.splits[0]!, options)[Symbol.asyncIterator]();

    test("the loop over its batches ends early", async () => {
      for await (const batch of plan.read(plan.splits[0]!)) {
        expect(batch.numRows).toBe(4);
        break;
      }
    });

    test("it is aborted while a batch is awaited", async () => {
      const controller = new AbortController();
      const batches = read({ signal: controller.signal });
      await batches.next();
      const pending = batches.next();
      controller.abort("enough");
      await expect(pending).rejects.toBe("enough");
      expect(await batches.next()).toEqual({ done: true, value: undefined });
    });

    test("the reader is closed while a batch is awaited", async () => {
      const batches = read();
      await batches.next();
      const pending = batches.next();
      await reader.close();
      await expect(pending).rejects.toMatchObject({ code: "invalid-argument", reason: "reader-closed" });
    });

    test("return() is called while a batch is awaited", async () => {
      const batches = read();
      const pending = batches.next();
      await batches.return?.();
      expect(await pending).toEqual({ done: true, value: undefined });
    });

    test("onProgress throws", async () => {
      const onProgress = (): void => {
        throw new TypeError("display gone");
      };
      await expect(read({ onProgress }).next()).rejects.toMatchObject({ code: "user-function" });
    });

    test("it is never started", () => {
      expect(read()).toBeDefined();
      expect(openFiles()).toEqual([]);
    });
  },
);
