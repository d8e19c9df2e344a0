import { spawn } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { type HostColumn, BytesColumn } from "@tfxio/tensor-adapter";
import { tableFromIPC } from "apache-arrow";
import { type Dataset, fromBlocks, fromItems, fromSaved, tuple } from "../../src/index.js";
import { dense } from "../host-columns.js";

const root = mkdtempSync(path.join(tmpdir(), "tfxio-stored-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let numFolders = 0;
const newFolder = (): string => path.join(root, "deeper", String(numFolders++));

const sparse = (length: number, value: number): HostColumn => ({
  kind: "sparse",
  dtype: "int64",
  indices: Int32Array.from({ length }, (_, k) => k * 2),
  values: BigInt64Array.from({ length }, () => BigInt(value)),
  denseShape: [length * 2],
  borrowed: false,
});
const ragged = (rows: readonly number[]): HostColumn => ({
  kind: "ragged",
  dtype: "float64",
  values: Float64Array.from({ length: rows.reduce((sum, size) => sum + size, 0) }, (_, k) => k / 3),
  nestedRowSplits: [
    Int32Array.from([0, ...rows].map((_, k, all) => all.slice(0, k + 1).reduce((a, b) => a + b, 0))),
  ],
  innerShape: [],
  rowSplitsDtype: "int32",
  borrowed: false,
});

/** Converts an element to plain objects and lists, without `borrowed`, so that elements can be compared. */
function plain(element: unknown): unknown {
  return JSON.parse(
    JSON.stringify(element, (key, value: unknown) => {
      if (key === "borrowed") return undefined;
      if (typeof value === "bigint") return `${value}n`;
      if (value instanceof BytesColumn) return value.toArray().map((bytes) => [...bytes]);
      if (ArrayBuffer.isView(value)) return Array.from(value as Float32Array, (each) => String(each));
      return value;
    }),
  );
}

const rows = Array.from({ length: 700 }, (_, x) => x);
const datasets: Readonly<
  Record<
    string,
    { readonly dataset: Dataset<unknown>; readonly batch: (d: Dataset<unknown>) => Dataset<unknown> }
  >
> = {
  numbers: { dataset: fromItems(rows.map((x) => x / 4)), batch: (d) => d.batch(100) },
  bigints: { dataset: fromItems(rows.map((x) => 2n ** 62n + BigInt(x))), batch: (d) => d.batch(100) },
  booleans: { dataset: fromItems(rows.map((x) => x % 3 === 0)), batch: (d) => d.batch(90) },
  text: { dataset: fromItems(rows.map((x) => `ö${x}`)), batch: (d) => d.batch(64) },
  "vectors of float16 bits, uint8 and float64": {
    dataset: fromItems(
      rows.map((x) => ({
        half: { ...dense(Uint16Array.of(x, x + 1), [2]), dtype: "float16" },
        byte: dense(Uint8ClampedArray.of(x % 256) as never, [1]),
        double: Float64Array.of(x / 7, Number.NaN),
      })),
    ),
    batch: (d) => d.batch(128),
  },
  "vectors of any length, even empty ones": {
    dataset: fromItems(rows.map((x) => Int32Array.from({ length: x % 5 }, (_, k) => x + k))),
    batch: (d) => d.paddedBatch(64),
  },
  "matrices of any shape, even empty ones": {
    dataset: fromItems(rows.map((x) => dense(new Float32Array((x % 3) * (x % 4)).fill(x), [x % 3, x % 4]))),
    batch: (d) => d.paddedBatch(64),
  },
  "tuples of dicts": {
    dataset: fromItems(
      rows.map((x) =>
        tuple(x, {
          "a.b": BigInt(x),
          a: {
            b: [
              [x, x],
              [x, x],
            ],
          },
        }),
      ),
    ),
    batch: (d) => d.batch(64),
  },
  "sparse values": { dataset: fromItems(rows.map((x) => sparse(x % 4, x))), batch: (d) => d.batch(50) },
  "ragged values": {
    dataset: fromItems(rows.map((x) => ragged([x % 3, 2, x % 2]))),
    batch: (d) => d.batch(50),
  },
  columns: {
    dataset: fromBlocks(function* () {
      for (let block = 0; block < 5; block++) {
        yield {
          numRows: 3,
          columns: {
            x: dense(Float32Array.of(1, 2, 3, 4, 5, 6 + block), [3, 2]),
            words: {
              kind: "ragged" as const,
              dtype: "string" as const,
              values: BytesColumn.from(["a", "", "ccc"].map((text) => new TextEncoder().encode(text))),
              nestedRowSplits: [Int32Array.of(0, 0, 1, 3)],
              innerShape: [],
              rowSplitsDtype: "int64" as const,
              borrowed: false,
            },
          },
        };
      }
    }),
    batch: (d) => d.batch(4),
  },
};

describe("a saved dataset", () => {
  test.each(Object.entries(datasets))(
    "yields the batches of the original: %s",
    async (_name, { dataset, batch }) => {
      const folder = newFolder();
      const { numElements, numBytes } = await dataset.save(folder);
      expect(numElements).toBe((await dataset.toArray()).length);
      expect(numBytes).toBeGreaterThan(0);
      const loaded = fromSaved(folder);
      expect(plain(await batch(loaded).toArray())).toEqual(plain(await batch(dataset).toArray()));
      expect(loaded.cardinality()).toBe(numElements);
      // Another dataset and another pass can read the same folder.
      expect(await fromSaved(folder).shuffle(64).toArray()).toHaveLength(numElements);
      expect((await loaded.toArray()).length).toBe(numElements);
    },
  );

  test("is stored in an Arrow file that arrow-js reads", async () => {
    const folder = newFolder();
    await fromItems([
      { id: 1n, name: "a", x: Float32Array.of(1, 2) },
      { id: 2n, name: "bb", x: Float32Array.of(3, 4) },
    ]).save(folder);
    const file = readdirSync(folder).find((name) => name.endsWith(".arrow"));
    const table = tableFromIPC(readFileSync(path.join(folder, file as string)));
    expect(table.schema.fields.map(String)).toEqual(["id: Int64", "name: Binary", "x: List<Float32>"]);
    expect(
      table.toArray().map((row: { toJSON(): Record<string, unknown> }) => {
        const { id, name, x } = row.toJSON() as { id: bigint; name: Uint8Array; x: Iterable<number> };
        return [id, Buffer.from(name).toString(), [...x]];
      }),
    ).toEqual([
      [1n, "a", [1, 2]],
      [2n, "bb", [3, 4]],
    ]);
  });

  test("may have no elements", async () => {
    const folder = newFolder();
    expect(await fromItems([]).save(folder)).toEqual({ numElements: 0, numBytes: 0 });
    expect(await fromSaved(folder).toArray()).toEqual([]);
  });
});

describe("save fails and adds no files for", () => {
  test.each<[string, Dataset<unknown>, object]>([
    [
      "elements of different types",
      fromItems<unknown>([...rows.slice(0, 256), "text"]),
      { code: "schema-mismatch", reason: "dataset-element" },
    ],
    [
      "elements of different types within one batch",
      fromItems<unknown>([1n, "text"]),
      { code: "shape-mismatch" },
    ],
    [
      "elements of different structures",
      fromItems<unknown>([{ a: 1 }, { b: 1 }]),
      {
        code: "shape-mismatch",
        message: expect.stringContaining("Element 1 is a dict of {b}, but must be a dict of {a}"),
      },
    ],
    [
      "null",
      fromItems([{ a: null }]),
      {
        code: "not-convertible",
        tensorName: "a",
        message: expect.stringMatching(
          / is null, but must be a scalar, an array of scalars or a host column\.$/,
        ),
      },
    ],
    [
      "an array of dicts",
      fromItems<unknown>([[{ a: 1 }]]),
      {
        code: "not-convertible",
        message: expect.stringContaining(
          'Element 0 is an array that contains an object with the key "a", but',
        ),
      },
    ],
    [
      "an element that failed",
      fromItems(rows).map((x) => {
        if (x === 600) throw new Error("no");
        return x;
      }),
      { code: "user-function" },
    ],
    [
      "an array with values of several types",
      fromItems<unknown>([{ a: [1] }, { a: [1, "x"] }]),
      {
        reason: "unequal-elements",
        message: expect.stringContaining(
          'Component "a" of element 1 is an array with values of several types',
        ),
      },
    ],
    ["an endless dataset", fromItems([1]).repeat(), { code: "invalid-argument", reason: "infinite-dataset" }],
  ])("%s", async (_name, dataset, error) => {
    const folder = newFolder();
    await expect(dataset.save(folder)).rejects.toMatchObject(error);
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });

  test("tensors", async () => {
    await tf.setBackend("cpu");
    const before = tf.memory().numTensors;
    const dataset = fromItems([1, 2]).withTensors({ tf });
    const folder = newFolder();
    await expect(dataset.save(folder)).rejects.toMatchObject({
      code: "not-convertible",
      message: expect.stringMatching(/ Store elements before withTensors\.$/),
    });
    expect(tf.memory().numTensors).toBe(before);
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });
  test("a pass stopped by its signal", async () => {
    const folder = newFolder();
    const controller = new AbortController();
    const endless = fromItems(rows).map((x) => {
      if (x === 650) controller.abort(new Error("enough"));
      return x;
    });
    await expect(endless.save(folder, { signal: controller.signal })).rejects.toThrow("enough");
    expect(readdirSync(folder)).toEqual([]);
  });
  test("a folder that already contains elements", async () => {
    const folder = newFolder();
    await fromItems([1]).save(folder);
    await expect(fromItems([2]).save(folder)).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "stored",
    });
    expect(await fromSaved(folder).toArray()).toEqual([1]);
  });
  test("a folder that another save has filled in the meantime", async () => {
    const folder = newFolder();
    const late = fromItems([1, 2]).map(async (x) => {
      if (x === 2) await fromItems([7, 8, 9]).save(folder);
      return x;
    });
    await expect(late.save(folder)).rejects.toMatchObject({ code: "invalid-argument", reason: "stored" });
    expect(await fromSaved(folder).toArray()).toEqual([7, 8, 9]);
    expect(readdirSync(folder)).toHaveLength(2);
  });
  test("a folder that cannot be created", async () => {
    const file = path.join(root, "file");
    writeFileSync(file, "");
    await expect(fromItems([1]).save(path.join(file, "x"))).rejects.toMatchObject({ name: "SourceError" });
  });
});

describe("reading fails for a folder", () => {
  const saved = async (): Promise<{ folder: string; file: string; manifest: string }> => {
    const folder = newFolder();
    await fromItems(rows).save(folder);
    const name = readdirSync(folder).find((each) => each.endsWith(".arrow"));
    return { folder, file: path.join(folder, name as string), manifest: path.join(folder, "manifest.json") };
  };
  const rejection = (folder: string): Promise<unknown> =>
    fromSaved(folder)
      .toArray()
      .then(
        () => "no rejection",
        (error: unknown) => error,
      );

  test("without its manifest", async () => {
    const { folder, manifest } = await saved();
    rmSync(manifest);
    expect(await rejection(folder)).toMatchObject({ code: "not-found", uri: folder });
  });
  test.each([
    "",
    "{",
    "null",
    "[]",
    '{"version":2}',
    '{"version":1,"plan":"x","numElements":1,"file":"../x","numBytes":1}',
  ])("with the manifest %p", async (text) => {
    const { folder, manifest } = await saved();
    writeFileSync(manifest, text);
    expect(await rejection(folder)).toMatchObject({ code: "corrupt-record", reason: "manifest" });
  });
  test("without its elements", async () => {
    const { folder, file } = await saved();
    rmSync(file);
    expect(await rejection(folder)).toMatchObject({ code: "not-found", uri: file });
  });
  test("with truncated elements", async () => {
    const { folder, file } = await saved();
    truncateSync(file, 500);
    expect(await rejection(folder)).toMatchObject({ code: "corrupt-record", reason: "manifest", uri: file });
  });
  test("with a different file in place of the elements", async () => {
    const { folder, file } = await saved();
    writeFileSync(file, Buffer.alloc(readFileSync(file).length, 7));
    expect(await rejection(folder)).toMatchObject({ name: "RecordError" });
  });
  test("with a damaged description of its elements", async () => {
    const folder = newFolder();
    await fromItems([{ x: 1 }, { x: 2 }]).save(folder);
    const name = readdirSync(folder).find((each) => each.endsWith(".arrow"));
    const file = path.join(folder, name as string);
    const bytes = readFileSync(file);
    // The schema message and the footer both hold the description, but only the footer is read.
    const key = '{"dict":';
    const start = bytes.lastIndexOf(key);
    expect(start).toBeGreaterThan(0);
    for (let damage = 0; damage < key.length; damage++) {
      const damaged = Buffer.from(bytes);
      damaged[start + damage] = 0x5d;
      writeFileSync(file, damaged);
      expect(await rejection(folder)).toMatchObject({
        code: "corrupt-record",
        reason: "manifest",
        uri: file,
      });
    }
  });
  test("with fewer elements than the manifest says", async () => {
    const { folder, manifest } = await saved();
    const text = readFileSync(manifest, "utf8").replace('"numElements":700', '"numElements":701');
    writeFileSync(manifest, text);
    expect(await rejection(folder)).toMatchObject({ code: "corrupt-record", reason: "manifest" });
  });
});

const isBuilt = existsSync(new URL("../../dist/node/index.js", import.meta.url));
(isBuilt ? test : test.skip)(
  "a process leaves no dataset if it is killed during a save, and a later save to the same folder succeeds",
  async () => {
    const folder = newFolder();
    const program = `
    import { fromItems } from "@tfxio/dataset";
    const rows = Array.from({ length: 2000 }, (_, x) => x);
    await fromItems(rows).map(async (x) => {
      if (x % 300 === 299) { process.stdout.write("."); await new Promise((resolve) => setTimeout(resolve, 30)); }
      return x;
    }).save(${JSON.stringify(folder)});`;
    for (let after = 1; after <= 5; after += 2) {
      await new Promise<void>((resolve) => {
        const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
          cwd: path.join(import.meta.dirname, "../.."),
          env: { ...process.env, NODE_OPTIONS: "" },
          stdio: ["ignore", "pipe", "inherit"],
        });
        let numDots = 0;
        child.stdout.on("data", (dots: Buffer) => {
          numDots += dots.length;
          if (numDots >= after) child.kill("SIGKILL");
        });
        child.on("exit", () => resolve());
      });
      await expect(fromSaved(folder).toArray()).rejects.toMatchObject({ code: "not-found" });
    }
    await fromItems(rows).save(folder);
    expect(await fromSaved(folder).toArray()).toEqual(rows);
  },
);
