import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { recordBatchOf, sliceBatch } from "@tfxio/arrow-encoding";
import { bytesSource, memoryTarget } from "@tfxio/wire";
import {
  type Data,
  Dictionary,
  Field,
  Int8,
  List,
  makeData,
  Null,
  type RecordBatch,
  Schema as ArrowSchema,
  tableFromIPC,
  Utf8,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import { arrow } from "../src/index.js";
import { canonicalBytes } from "./canonical-bytes.js";
import { readBatches } from "./read.js";
import { batchOf, writeBatches, written } from "./written.js";

const rows = [
  { id: 1n, score: 0.5, word: "ab", good: true, kind: "x", parts: [1, 2], point: { x: 1, y: null } },
  { id: -1n, score: null, word: "", good: false, kind: "y", parts: [], point: null },
  { id: 5n, score: -0.25, word: null, good: null, kind: null, parts: null, point: { x: 3, y: 2.5 } },
];
const dictionary = new Dictionary(new Utf8(), new Int8(), 0);
const schema = new ArrowSchema([new Field("word", dictionary, true)]);

/** Creates a batch of a dictionary column with these values and indices. */
function encoded(values: Vector, indices: readonly number[]): RecordBatch {
  const data = makeData({
    type: dictionary,
    length: indices.length,
    data: Int8Array.from(indices),
    dictionary: values,
  });
  return recordBatchOf(schema, indices.length, [data]);
}

const words = (...texts: readonly string[]): Vector => vectorFromArray([...texts], new Utf8());

/** Returns the words of all batches as arrow-js reads them. */
const wordsOf = (bytes: Uint8Array): unknown[] => [...tableFromIPC(bytes).getChild("word")!];

test.each(["file", "stream"] as const)("arrow-js reads a written %s", async (container) => {
  const bytes = await written(rows, { batchRows: 2, options: { container } });
  const expected = batchOf(rows);
  const table = tableFromIPC(bytes);
  expect(table.batches.map(({ numRows }) => numRows)).toEqual([2, 1]);
  expect(String(table.schema)).toBe(String(expected.schema));
  expect(table.toArray().map(String)).toEqual(expected.toArray().map(String));
});

test("a name that ends with .arrows selects the stream format", async () => {
  const firstBytes = async (uri: string): Promise<string> => {
    const target = memoryTarget(uri);
    const writer = await arrow.createWriter(target, { arrowSchema: schema });
    await writer.finish();
    await target.commit();
    return Buffer.from(target.bytes().slice(0, 6)).toString("latin1");
  };
  expect(await firstBytes("some.arrows")).toMatch(/^\xff{4}/);
  for (const name of ["some.arrow", "some.feather", "some.ipc"])
    expect(await firstBytes(name)).toBe("ARROW1");
});

test("buffers begin at multiples of 64 bytes", async () => {
  const bytes = await written(rows, { batchRows: 2 });
  const { batches } = await readBatches(arrow, [bytesSource(bytes, "file")], { batchSize: 2 });
  for (const column of [0, 1]) {
    const { byteOffset } = batches[0]!.data.children[column]!.values as Float64Array;
    expect((byteOffset - bytes.byteOffset) % 64).toBe(0);
  }
});

describe("dictionaries", () => {
  const first = words("a", "b");
  const grown = first.concat(words("c"));
  const other = words("x", "y");

  test("are written once if batches share them or have equal ones", async () => {
    const once = await writeBatches(schema, [encoded(first, [0, 1])]);
    const shared = await writeBatches(schema, [
      encoded(first, [0, 1]),
      encoded(first, [1, 0]),
      encoded(words("a", "b"), [1, 1]),
    ]);
    expect(wordsOf(shared)).toEqual(["a", "b", "b", "a", "b", "b"]);
    expect(Buffer.from(shared).toString("latin1").split("ab").length).toBe(
      Buffer.from(once).toString("latin1").split("ab").length,
    );
  });

  test.each(["file", "stream"] as const)("are extended in a %s if they grow", async (container) => {
    const bytes = await writeBatches(schema, [encoded(first, [0, 1]), encoded(grown, [2, 0])], { container });
    expect(wordsOf(bytes)).toEqual(["a", "b", "c", "a"]);
  });

  test("of batches are replaced in a stream, and joined in a file, if they differ", async () => {
    const batches = [encoded(first, [0, 1]), encoded(other, [0, 1]), encoded(first, [1, 0])];
    for (const container of ["stream", "file"] as const) {
      const bytes = await writeBatches(schema, batches, { container });
      const read = await readBatches(arrow, [bytesSource(bytes, container)]);
      expect(read.batches.flatMap((batch) => [...batch.getChild("word")!])).toEqual([
        "a",
        "b",
        "x",
        "y",
        "b",
        "a",
      ]);
      const lengths = read.batches.map(({ data }) => data.children[0]!.dictionary!.length);
      expect(lengths).toEqual(container === "stream" ? [2, 2, 2] : [4]);
    }
  });

  test("are rejected if a file needs more distinct values than its indices can address", async () => {
    const many = (name: string): Vector =>
      words(...Array.from({ length: 100 }, (_, index) => `${name}${index}`));
    const writing = writeBatches(schema, [encoded(many("a"), [99]), encoded(many("b"), [99])]);
    await expect(writing).rejects.toMatchObject({ code: "out-of-range", reason: "dictionary-index" });
  });
});

test("the null count in a written slice of a List<Null> column covers only the items of the slice", async () => {
  const type = new List(new Field("item", new Null(), true));
  const child = makeData({ type: new Null(), length: 6 });
  const data = makeData({ type, length: 3, valueOffsets: Int32Array.of(0, 1, 3, 6), child });
  const nulls = new ArrowSchema([new Field("nulls", type, true)]);
  const batch = recordBatchOf(nulls, 3, [data as Data]);
  const bytes = await writeBatches(nulls, [sliceBatch(batch, 1, 3)]);
  const { batches } = await readBatches(arrow, [bytesSource(bytes, "nulls")]);
  const [column] = batches[0]!.data.children as [Data];
  expect([...(column.valueOffsets as Int32Array)]).toEqual([0, 2, 5]);
  expect(column.children[0]!.nullCount).toBe(5);
  expect(column.nullCount).toBe(0);
});

test("slices of every column are written without the surrounding rows", async () => {
  const batch = batchOf(rows);
  const hash = (columns: readonly Data[], first: number): string =>
    createHash("sha256")
      .update(Buffer.concat(columns.map((data) => canonicalBytes(data, first))))
      .digest("hex");
  for (const row of [0, 1, 2]) {
    const bytes = await writeBatches(batch.schema, [sliceBatch(batch, row, row + 1)], { compression: "lz4" });
    const read = await readBatches(arrow, [bytesSource(bytes, "slice")]);
    expect(hash(read.batches[0]!.data.children, 0)).toBe(hash(batch.data.children, row));
  }
});
