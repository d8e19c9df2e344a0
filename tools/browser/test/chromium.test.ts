import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import type { Browser, Page } from "playwright-core";
import { bundleForBrowser, packageNames } from "../src/bundle.js";
import { findChromium, launchChromium } from "../src/chromium.js";
import type { DecodedPage, GzipPage } from "../src/decode-page.js";
import { type Served, serve } from "../src/serve.js";

const executable = findChromium();
if (executable === undefined) {
  console.warn("skipped: Chromium is not on the PATH; install it or set CHROMIUM_PATH");
}
const ioFolder = path.join(import.meta.dirname, "..", "..", "..", "packages", "io");
const describeWithChromium = executable === undefined ? describe.skip : describe;

// Two TFRecords, framed with an independent implementation of CRC-32C. They hold the first and last tf.Example of the test vector
// tfx-bsl/example_decoder "without_schema_simple". The first has y = [1, 2] and z = [4, 5]. In the last, both are empty.
const tfRecords =
  "MQAAAAAAAACdg4PpCi8KDQoBeBIICgYKAWEKAWIKEQoBeRIMEgoKCAAAgD8AAABACgsKAXoSBhoECgIEBe9/0yodAAAAAAAAAGAv3yMKGwoHCgF4EgIKAAoHCgF5EgISAAoHCgF6EgIaALZg8Hk=";

describeWithChromium("in Chromium", () => {
  let served: Served;
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    const entries = packageNames().map((name, index) => [`package-${index}`, name]);
    const decodePage = path.join(import.meta.dirname, "..", "dist", "decode-page.js");
    const dropPage = path.join(import.meta.dirname, "..", "dist", "drop-page.js");
    const workerPage = path.join(import.meta.dirname, "..", "dist", "worker-page.js");
    served = await serve(
      await bundleForBrowser({
        ...Object.fromEntries(entries),
        decode: decodePage,
        drop: dropPage,
        workers: workerPage,
        // The path that the bundle expects. Bundlers that support `new Worker(new URL(…))` copy the file there.
        "serve-browser": path.join(ioFolder, "dist", "workers", "serve-browser.js"),
      }),
    );
    browser = await launchChromium(executable as string);
    page = await browser.newPage();
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    await page.goto(served.origin);
  });

  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });

  test.each(packageNames().map((name, index) => [name, index] as const))(
    "the main entry of %s loads",
    async (_name, index) => {
      const exported = await page.evaluate(
        async (url) => Object.keys((await import(url)) as object),
        `/package-${index}.js`,
      );
      expect(exported.length).toBeGreaterThan(0);
      expect(problems).toEqual([]);
    },
  );

  test("a gzip file of several members is read completely, or up to the damage, which is reported", async () => {
    const bytes = Buffer.from(tfRecords, "base64");
    // The first record has 49 bytes, and 16 bytes of framing.
    const [one, two] = [gzipSync(bytes.subarray(0, 65)), gzipSync(bytes.subarray(65))];
    const damaged = Uint8Array.from(two);
    damaged[two.length - 8]! ^= 1;
    const count = (...members: readonly Uint8Array[]): Promise<GzipPage> =>
      page.evaluate(
        async ([url, base64]) => {
          const module = (await import(url)) as { countRecords(base64: string): Promise<GzipPage> };
          return module.countRecords(base64);
        },
        ["/decode.js", Buffer.concat(members).toString("base64")] as const,
      );
    expect(await count(one, two)).toEqual({ numRows: 2 });
    expect(await count(one, two, one, new Uint8Array(100))).toEqual({ numRows: 3 });
    expect(await count(one, two.subarray(0, 20))).toEqual({ numRows: 1, code: "truncated-record" });
    expect(await count(one, damaged)).toEqual({ numRows: 2, code: "corrupt-record" });
    expect(await count(one, Buffer.from("garbage"))).toEqual({ numRows: 1, code: "corrupt-record" });
    expect(problems).toEqual([]);
  });

  test("a TFRecord Blob becomes tensors", async () => {
    const decoded = await page.evaluate(
      async ([url, base64]) => {
        const module = (await import(url)) as { decodeBlob(base64: string): Promise<DecodedPage> };
        return module.decodeBlob(base64);
      },
      ["/decode.js", tfRecords] as const,
    );
    expect(decoded).toEqual({
      backend: "cpu",
      numRows: 2,
      y: { values: [1, 2], rowSplits: [0, 2, 2] },
      z: { indices: [0, 0, 0, 1], values: [4, 5], denseShape: [2, 2] },
    });
    expect(problems).toEqual([]);
  });

  test("web workers read a Blob and bytes, and report damage in the bytes", async () => {
    const [columns, failure] = await page.evaluate(
      async ([url, base64]) => {
        const module = (await import(url)) as {
          readInWebWorkers(base64: string): Promise<readonly (readonly number[])[]>;
          failInWebWorker(base64: string): Promise<readonly unknown[]>;
        };
        return [await module.readInWebWorkers(base64), await module.failInWebWorker(base64)] as const;
      },
      ["/workers.js", tfRecords] as const,
    );
    expect(columns).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(failure).toEqual(["payload-crc", "bytes:0", 0]);
    expect(problems).toEqual([]);
  });

  describe("files that are dropped onto a page", () => {
    /** Drops a file onto a new page. Resolves to the lines that the page shows after it has read the file. */
    async function shownAfterDrop(name: string, contents: Uint8Array): Promise<string[]> {
      const dropped = await browser.newPage();
      try {
        await dropped.goto(served.origin);
        await dropped.evaluate(async (url) => {
          await ((await import(url)) as { showDrops(): Promise<void> }).showDrops();
        }, "/drop.js");
        const dataTransfer = await dropped.evaluateHandle(
          ([fileName, base64]) => {
            const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
            const { DataTransfer } = globalThis as unknown as {
              readonly DataTransfer: new () => { readonly items: { add(file: File): void } };
            };
            const transfer = new DataTransfer();
            transfer.items.add(new File([bytes], fileName));
            return transfer;
          },
          [name, Buffer.from(contents).toString("base64")] as const,
        );
        await dropped.dispatchEvent("body", "dragover", { dataTransfer });
        await dropped.dispatchEvent("body", "drop", { dataTransfer });
        await dropped.getByText(`${name} is done`).waitFor({ timeout: 10_000 });
        return ((await dropped.locator("pre").textContent()) ?? "").trimEnd().split("\n");
      } finally {
        await dropped.close();
      }
    }

    test("become tensors if they are CSV files", async () => {
      const csv = 'clicks,price,title\n1,0.5,"a, b"\n2,1.5,é\n3,2.5,c\n';
      expect(await shownAfterDrop("shop.csv", new TextEncoder().encode(csv))).toEqual([
        "Drop files here.",
        "shop.csv: 3 rows",
        "clicks: int32 [3,1] 1 2 3",
        "price: float32 [3,1] 0.5 1.5 2.5",
        "title: string [3,1] a, b é c",
        "shop.csv is done; 0 tensors are left.",
      ]);
    });

    test("become tensors if they are Arrow files", async () => {
      const table = tableFromArrays({ id: BigInt64Array.of(7n, 8n), x: Float32Array.of(0.25, -4) });
      expect(await shownAfterDrop("points.arrow", tableToIPC(table, "file"))).toEqual([
        "Drop files here.",
        "points.arrow: 2 rows",
        "id: int32 [2,1] 7 8",
        "x: float32 [2,1] 0.25 -4",
        "points.arrow is done; 0 tensors are left.",
      ]);
    });

    test("are rejected with an error that names the file if they are damaged", async () => {
      const lines = await shownAfterDrop("damaged.csv", new TextEncoder().encode('a,b\n1,2\n3,"4\n'));
      expect(lines[1]).toMatch(/^\[(truncated|corrupt)-record\] .*damaged\.csv/);
    });
  });
});
