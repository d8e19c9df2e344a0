import { describe, expect, test } from "@jest/globals";
import { FixedSizeList, Field, Float32, Int64, makeData } from "apache-arrow";
import type { HostDense } from "../../src/index.js";
import { batchOf, recordBatch } from "../arrow-values.js";
import { adapterFor } from "../representations.js";

const representation = (size: number, fill: string): string =>
  `dense_tensor { column_name: "x" shape { dim { size: ${size} } } default_value { ${fill} } }`;

describe("null rows with hidden values", () => {
  // Rows 1 and 3 of 5 are null. All rows have values, but null rows hide theirs.
  const nulls = { nullCount: 2, nullBitmap: Uint8Array.of(0b10101) };

  test("are filled with the default, in a copy of the values, if each row has three floats", () => {
    const values = Float32Array.from({ length: 15 }, (_, i) => i);
    const type = new FixedSizeList(3, new Field("item", new Float32(), true));
    const child = makeData({ type: new Float32(), data: values });
    const batch = batchOf(["x"], [makeData({ type, length: 5, ...nulls, child })]);
    const adapter = adapterFor(batch, { x: representation(3, "float_value: -1") });
    const dense = adapter.toHost(batch)["x"] as HostDense;
    expect(Array.from(dense.values as Float32Array)).toEqual([
      0, 1, 2, -1, -1, -1, 6, 7, 8, -1, -1, -1, 12, 13, 14,
    ]);
    expect([dense.shape, dense.borrowed]).toEqual([[5, 3], false]);
    // The hidden values of the batch do not change.
    expect(values[3]).toBe(3);
  });

  test("are filled with the default in a slice of a batch that has one int64 in each row", () => {
    const type = new FixedSizeList(1, new Field("item", new Int64(), true));
    const child = makeData({ type: new Int64(), data: BigInt64Array.of(5n, 6n, 7n, 8n, 9n) });
    const batch = batchOf(["x"], [makeData({ type, length: 5, ...nulls, child })]).slice(1, 4);
    const adapter = adapterFor(batch, { x: representation(1, "int_value: -3") });
    const dense = adapter.toHost(batch)["x"] as HostDense;
    expect(Array.from(dense.values as BigInt64Array)).toEqual([-3n, 7n, -3n]);
  });
});

test("strings of padded and truncated rows are contiguous", () => {
  const batch = recordBatch([
    { name: "x", type: { list: "binary" }, values: [["a", "bc", "d"], null, ["efg"], []] },
  ]);
  const adapter = adapterFor(
    batch,
    { x: representation(2, 'bytes_value: "--"') },
    { onShort: "pad", onLong: "truncate", onEmpty: "default" },
  );
  const { values } = adapter.toHost(batch)["x"] as HostDense<"string">;
  expect(values.toArray().map((value) => Buffer.from(value).toString())).toEqual([
    "a",
    "bc",
    "--",
    "--",
    "efg",
    "--",
    "--",
    "--",
  ]);
  expect(Buffer.from(values.data).toString()).toBe("abc----efg------");
});
