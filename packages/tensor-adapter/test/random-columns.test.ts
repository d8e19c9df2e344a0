import { expect, test } from "@jest/globals";
import { isTfxioError } from "@tfxio/wire";
import {
  Binary,
  type Data,
  Dictionary,
  Field,
  FixedSizeList,
  Float32,
  Int16,
  Int64,
  LargeList,
  LargeUtf8,
  List,
  makeData,
  makeVector,
  Struct,
  Uint64,
  Vector,
} from "apache-arrow";
import { BytesColumn, type HostColumn, type HostRagged, type HostSparse } from "../src/index.js";
import { batchOf, bitmap } from "./arrow-values.js";
import { type Random, seeded } from "./random.js";
import { adapterFor } from "./representations.js";

// These tests convert random columns to tensors, and compare their rows with those that arrow-js reads. The columns have up to
// three levels of lists, of all list types, with structs around some of them. They also have nulls that hide values, and some are
// slices.

function offsetsOf(random: Random, length: number): Int32Array {
  const offsets = new Int32Array(length + 1);
  offsets[0] = random(3);
  for (let row = 0; row < length; row++) offsets[row + 1] = (offsets[row] as number) + random(4);
  return offsets;
}

function leaf(random: Random, length: number): Data {
  const bytes = offsetsOf(random, length);
  const data = Uint8Array.from({ length: bytes[length] as number }, () => 97 + random(26));
  const makers: (() => Data)[] = [
    () => makeData({ type: new Float32(), data: Float32Array.from({ length }, () => random(1000) / 8) }),
    () => makeData({ type: new Int16(), data: Int16Array.from({ length }, () => random(60000) - 30000) }),
    () =>
      makeData({
        type: new Int64(),
        data: BigInt64Array.from({ length }, () => BigInt(random(2 ** 31)) ** 2n),
      }),
    () =>
      makeData({
        type: new Uint64(),
        data: BigUint64Array.from({ length }, () => 2n ** 64n - 1n - BigInt(random(9))),
      }),
    () => makeData({ type: new Binary(), valueOffsets: bytes, data }),
    () => makeData({ type: new LargeUtf8(), valueOffsets: BigInt64Array.from(bytes, BigInt), data }),
    () => {
      const type = new Dictionary(new Float32(), new Int16());
      const dictionary = makeVector(makeData({ type: new Float32(), data: Float32Array.of(1, 2.5, 4) }));
      return makeData({ type, data: Int16Array.from({ length }, () => random(3)), dictionary });
    },
  ];
  return (makers[random(makers.length)] as () => Data)();
}

/** Returns a column of lists nested `depth` levels deep, some of them in structs. Adds the structs' field names to `path`. */
function lists(random: Random, length: number, depth: number, path: string[]): Data {
  const nulls = Array.from({ length }, () => (random(4) === 0 ? null : 1));
  const validity = { nullCount: nulls.filter((each) => each === null).length, nullBitmap: bitmap(nulls) };
  if (random(4) === 0) {
    path.push("f");
    const children = [lists(random, length, depth, path)];
    const type = new Struct([new Field("f", (children[0] as Data).type, true)]);
    return makeData({ type, length, ...validity, children });
  }
  const kind = random(3);
  const listSize = random(3);
  const offsets = offsetsOf(random, length);
  const numValues = kind === 0 ? length * listSize : (offsets[length] as number);
  const child = depth === 1 ? leaf(random, numValues) : lists(random, numValues, depth - 1, path);
  const item = new Field("item", child.type, true);
  if (kind === 0) return makeData({ type: new FixedSizeList(listSize, item), length, ...validity, child });
  if (kind === 1) {
    const valueOffsets = BigInt64Array.from(offsets, BigInt);
    return makeData({ type: new LargeList(item), length, ...validity, valueOffsets, child });
  }
  return makeData({ type: new List(item), length, ...validity, valueOffsets: offsets, child });
}

/** Converts a value from arrow-js to plain JavaScript. Null lists become empty, and structs become the value of their field. */
function plain(value: unknown, depth: number): unknown {
  if (value === null && depth > 0) return [];
  if (value !== null && typeof value === "object" && "f" in value) return plain(value.f, depth);
  if (value instanceof Vector)
    return Array.from(value as Iterable<unknown>, (each) => plain(each, depth - 1));
  return value instanceof Uint8Array ? Buffer.from(value).toString() : value;
}

function elements({ values }: HostColumn): unknown[] {
  if (values instanceof BytesColumn) return values.toArray().map((bytes) => Buffer.from(bytes).toString());
  return Array.from<number | bigint, unknown>(values, (value) => value);
}

function nested(column: HostRagged): unknown[] {
  return column.nestedRowSplits.reduceRight(
    (inner, splits) =>
      Array.from({ length: splits.length - 1 }, (_, row) => inner.slice(splits[row], splits[row + 1])),
    elements(column),
  );
}

function rowsOf(column: HostSparse): unknown[][] {
  const rows: unknown[][] = Array.from({ length: column.denseShape[0] as number }, () => []);
  elements(column).forEach((value, index) => {
    const row = rows[column.indices[index * 2] as number] as unknown[];
    row[column.indices[index * 2 + 1] as number] = value;
  });
  return rows;
}

/** Returns the column with at most one offset replaced, at a random depth. */
function damaged(random: Random, data: Data): Data {
  const buffers = data.valueOffsets as Int32Array | BigInt64Array | undefined;
  if (buffers === undefined || buffers.length === 0 || random(2) === 0) {
    const children = data.children.map((child) => damaged(random, child));
    return data.clone(data.type, data.offset, data.length, data.nullCount, data.buffers, children);
  }
  const offsets = buffers.slice();
  const wrong = [-1, -(2 ** 31), 2 ** 31 - 1, 7, 0][random(5)] as number;
  offsets[random(offsets.length)] = (typeof offsets[0] === "bigint" ? BigInt(wrong) : wrong) as never;
  return data.clone(data.type, data.offset, data.length, data.nullCount, {
    ...data.buffers,
    0: offsets,
  } as never);
}

test("damaged columns either become tensors or cause a TfxioError", () => {
  let rejected = 0;
  for (let seed = 0; seed < 2000; seed++) {
    const random = seeded(seed);
    const path = ["x"];
    const batch = batchOf(["x"], [damaged(random, lists(random, random(12), 1 + random(3), path))]);
    const steps = path.map((step) => `step: "${step}"`).join(" ");
    const adapter = adapterFor(batch, { t: `ragged_tensor { feature_path { ${steps} } }` });
    try {
      adapter.toHost(batch);
    } catch (error) {
      if (!isTfxioError(error, "not-convertible", "out-of-range")) throw error;
      rejected++;
    }
  }
  expect(rejected).toBeGreaterThan(500);
});

test("random columns become tensors with the rows that arrow-js reads", () => {
  for (let seed = 0; seed < 400; seed++) {
    const random = seeded(seed);
    const path = ["x"];
    const depth = 1 + random(3);
    const whole = lists(random, random(12), depth, path);
    const start = random(whole.length + 1);
    const data = random(2) === 0 ? whole : whole.slice(start, random(whole.length - start + 1));
    const batch = batchOf(["x"], [data]);
    const steps = path.map((step) => `step: "${step}"`).join(" ");
    const texts: Record<string, string> = { ragged: `ragged_tensor { feature_path { ${steps} } }` };
    if (depth === 1 && path.length === 1) texts.sparse = 'varlen_sparse_tensor { column_name: "x" }';
    const host = adapterFor(batch, texts).toHost(batch);
    const expected = Array.from(new Vector([data]), (row) => plain(row, depth));
    expect({ seed, rows: nested(host.ragged as HostRagged) }).toEqual({ seed, rows: expected });
    if (host.sparse)
      expect({ seed, rows: rowsOf(host.sparse as HostSparse) }).toEqual({ seed, rows: expected });
  }
});
