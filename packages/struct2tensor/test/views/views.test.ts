import { describe, expect, test } from "@jest/globals";
import { BytesColumn } from "@tfxio/arrow-encoding";
import { toTensor } from "@tfxio/tensor-adapter";
import {
  calculate,
  fromPrensor,
  fromRecordBatch,
  fromStructuredTensor,
  Path,
  prensorOf,
  toRecordBatch,
  toStructuredTensor,
} from "@tfxio/struct2tensor";
import { flattenPrensor } from "../naive/data.js";
import { thrownBy } from "../thrown-by.js";

const text = (...values: readonly string[]): BytesColumn =>
  BytesColumn.from(values.map((value) => Buffer.from(value)));

// Three rows: {item:[{tag:[a]}], year:7}, {item:[{tag:[b,c]},{tag:[d]}], open:true} and {year:9}.
const prensor = prensorOf({
  "": { kind: "root", size: 3 },
  item: { kind: "child", isRepeated: true, parentIndex: Int32Array.of(0, 1, 1) },
  "item.tag": {
    kind: "leaf",
    isRepeated: true,
    parentIndex: Int32Array.of(0, 1, 1, 2),
    dtype: "string",
    values: text("a", "b", "c", "d"),
  },
  year: {
    kind: "leaf",
    isRepeated: false,
    parentIndex: Int32Array.of(0, 2),
    dtype: "int64",
    values: BigInt64Array.of(7n, 9n),
  },
  open: {
    kind: "leaf",
    isRepeated: false,
    parentIndex: Int32Array.of(1),
    dtype: "bool",
    values: Uint8Array.of(1),
  },
});

describe("a prensor", () => {
  test("converts to ragged tensors that have one ragged dimension per step", () => {
    const { nestedRowSplits, values } = prensor.ragged("item.tag");
    expect(nestedRowSplits).toEqual([Int32Array.of(0, 1, 3, 3), Int32Array.of(0, 1, 3, 4)]);
    expect((values as BytesColumn).toArray().map(String)).toEqual(["97", "98", "99", "100"]);
    expect(prensor.ragged("year").nestedRowSplits).toEqual([Int32Array.of(0, 1, 1, 2)]);
  });

  test("converts to sparse tensors that have one dimension for the rows and one per repeated step", () => {
    const { indices, denseShape } = prensor.sparse("item.tag");
    expect([...indices]).toEqual([0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0]);
    expect(denseShape).toEqual([3, 2, 2]);
    expect(prensor.sparse("year")).toMatchObject({ indices: Int32Array.of(0, 2), denseShape: [3] });
  });

  test("converts to dense tensors, padded with the default value", () => {
    expect(prensor.dense("year", { defaultValue: -1n })).toMatchObject({
      shape: [3],
      values: BigInt64Array.of(7n, -1n, 9n),
    });
    const { shape, values } = prensor.dense("item.tag", { defaultValue: "-", shape: [2, 3] });
    expect(shape).toEqual([3, 2, 3]);
    expect(
      (values as BytesColumn)
        .toArray()
        .map((value) => Buffer.from(value).toString())
        .join(""),
    ).toBe("a-----bc-d--------");
  });

  test("rounds the default of a float16 field to the nearest float16 value, both in dense() and in fill()", async () => {
    // 1 is 0x3c00, 0.5 is 0x3800, and 0.1 rounds to 0x2e66 (IEEE 754 binary16). 70000 is out of range, so it becomes infinity.
    const halves = prensorOf({
      "": { kind: "root", size: 2 },
      half: {
        kind: "leaf",
        isRepeated: false,
        parentIndex: Int32Array.of(1),
        dtype: "float16",
        values: Uint16Array.of(0x3c00),
      },
    });
    for (const [defaultValue, bits] of [
      [0.5, 0x3800],
      [0.1, 0x2e66],
      [-2, 0xc000],
      [70000, 0x7c00],
      [true, 0x3c00],
    ] as const) {
      expect(halves.dense("half", { defaultValue }).values).toEqual(Uint16Array.of(bits, 0x3c00));
      const filled = await calculate(fromPrensor(halves).fill("half", defaultValue, "all"));
      expect(filled.leaf("all").values).toEqual(Uint16Array.of(bits, 0x3c00));
    }
  });

  test("rejects gaps in a dense view without a default, rows that do not fit the shape, and an invalid default", () => {
    expect(() => prensor.dense("year")).toThrow('"year" has values for only 2 of 3 elements');
    expect(() => prensor.dense("item.tag", { defaultValue: "", shape: [1, 2] })).toThrow(
      'shape[0] must be at least 2, the size of this dimension of "item.tag" in this batch, found 1.',
    );
    expect(() => prensor.dense("item.tag", { defaultValue: "", shape: [2] })).toThrow(
      'must have length 2, with one size for each dimension of "item.tag" after the batch dimension, found [2]; ' +
        "this batch needs at least [2, 2].",
    );
    expect(() => prensor.dense("year", { defaultValue: 0, shape: [1] })).toThrow(
      'must have length 0, with one size for each dimension of "year" after the batch dimension, found [1].',
    );
    expect(() => prensor.dense("year", { defaultValue: "1" })).toThrow("safe integer, found string");
    expect(() => prensor.dense("year", { defaultValue: 2n ** 63n })).toThrow(
      "from -9223372036854775808 to 9223372036854775807, for int64, found 9223372036854775808",
    );
  });

  test("cannot be converted to a ragged tensor, a sparse tensor or a record batch if its parent indices are out of order", () => {
    const shuffled = prensorOf({
      "": { kind: "root", size: 2 },
      v: {
        kind: "leaf",
        isRepeated: true,
        parentIndex: Int32Array.of(1, 0),
        dtype: "int32",
        values: Int32Array.of(1, 2),
      },
    });
    for (const view of [
      () => shuffled.ragged("v"),
      () => shuffled.sparse("v"),
      () => toRecordBatch(shuffled),
    ]) {
      expect(thrownBy(view)).toMatchObject({ reason: "parent-order" });
    }
  });

  test("rejects a missing path in get() but not in find(), rejects a message in leaf(), and lists its leaf paths", () => {
    expect(() => prensor.get("item.x")).toThrow(
      'The prensor has no field "item.x". The last existing node on this path has these children: tag.',
    );
    expect(() => prensor.leaf("item")).toThrow("must be a leaf");
    expect(prensor.find("item.tag.x")).toBeUndefined();
    expect(prensor.leafPaths().map(String)).toEqual(["item.tag", "open", "year"]);
  });

  test("is rejected if its nodes are incomplete or inconsistent", () => {
    const leaf = { kind: "leaf", isRepeated: true, dtype: "int32", values: Int32Array.of(1) } as const;
    const root = { kind: "root", size: 1 } as const;
    expect(() => prensorOf({ v: { ...leaf, parentIndex: Int32Array.of(0) } })).toThrow(
      'nodes[""] must be a root node, found undefined.',
    );
    expect(() => prensorOf({ "": root, "m.v": { ...leaf, parentIndex: Int32Array.of(0) } })).toThrow(
      'nodes["m"] must be a message, because it is the parent of "m.v", found undefined.',
    );
    expect(() => prensorOf({ "": root, v: root })).toThrow(
      'nodes["v"] must be a message or leaf, found a node of kind "root".',
    );
    const nested = { ...leaf, parentIndex: Int32Array.of(0) };
    expect(() => prensorOf({ "": nested })).toThrow(
      'nodes[""] must be a root node, found a node of kind "leaf".',
    );
    expect(() => prensorOf({ "": root, m: nested, "m.v": nested })).toThrow(
      'nodes["m"] must be a message, because it is the parent of "m.v", found a node of kind "leaf".',
    );
    expect(() => prensorOf({ "": root, v: { ...leaf, parentIndex: Int32Array.of(1) } })).toThrow(
      'nodes["v"].parentIndex[0] must be at least 0 and below 1, the number of parents, found 1.',
    );
    expect(() => prensorOf({ "": root, v: { ...leaf, parentIndex: new Int32Array(2) } })).toThrow(
      'nodes["v"].values must have length 2, like parentIndex, found length 1.',
    );
  });
});

describe("a record batch made from a prensor", () => {
  test("has a nullable list for every field, and converts back to the same values with every field repeated", async () => {
    const batch = toRecordBatch(prensor);
    expect(
      batch.schema.fields.map(({ name, type, metadata }) => `${name}: ${type} ${[...metadata]}`),
    ).toEqual([
      "item: List<Struct<{tag:List<Binary>}>> ",
      "open: List<Uint8> tfxio.proto.type,bool",
      "year: List<Int64> ",
    ]);
    expect(batch.getChild("year")?.get(1)).toBeNull();
    const back = flattenPrensor(await calculate(fromRecordBatch(batch)));
    const repeated = Object.fromEntries(
      Object.entries(flattenPrensor(prensor)).map(([path, node]) => [
        path,
        path === "" ? node : { ...node, isRepeated: true },
      ]),
    );
    expect(back).toEqual(repeated);
  });

  test("can be sliced before it is converted back", async () => {
    const rows = flattenPrensor(await calculate(fromRecordBatch(toRecordBatch(prensor).slice(1, 3))));
    expect(rows["item.tag"]).toMatchObject({ parentIndex: [0, 0, 1], values: ["b", "c", "d"] });
    expect(rows["item"]).toMatchObject({ parentIndex: [0, 0] });
    expect(rows["year"]).toMatchObject({ parentIndex: [1], values: [9n] });
  });
});

describe("a structured tensor", () => {
  test("holds messages as nested structured tensors, and converts back to a prensor whose fields are all repeated", () => {
    const structured = toStructuredTensor(prensor);
    expect(structured.fields["item"]).toMatchObject({
      kind: "structured",
      nestedRowSplits: [Int32Array.of(0, 1, 3, 3)],
      fields: {
        tag: { kind: "ragged", nestedRowSplits: [Int32Array.of(0, 1, 3, 3), Int32Array.of(0, 1, 3, 4)] },
      },
    });
    const back = flattenPrensor(fromStructuredTensor(structured));
    const nodes = Object.entries(flattenPrensor(prensor)).filter(([path]) => path !== "");
    for (const [path, node] of nodes) expect(back[path]).toEqual({ ...node, isRepeated: true });
  });

  test("converts to a prensor with a step named `data` for the third dimension of a dense field", () => {
    const back = fromStructuredTensor({
      kind: "structured",
      numRows: 2,
      nestedRowSplits: [],
      rowSplitsDtype: "int64",
      fields: {
        m: {
          kind: "dense",
          dtype: "int32",
          shape: [2, 2, 2],
          values: Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8),
          borrowed: false,
        },
      },
    });
    expect(back.ragged("m.data").nestedRowSplits).toEqual([
      Int32Array.of(0, 2, 4),
      Int32Array.of(0, 2, 4, 6, 8),
    ]);
  });
});

test("a dense view converts to a TensorFlow.js tensor", async () => {
  const tf = await import("@tensorflow/tfjs-core");
  await import("@tensorflow/tfjs-backend-cpu");
  const tensor = toTensor(prensor.dense("year", { defaultValue: 0n }), { tf });
  expect(Array.from(await (tensor as { data(): Promise<Int32Array> }).data())).toEqual([7, 0, 9]);
  tensor.dispose();
});

test("a lenient path accepts spaces and dots in its steps, a strict path rejects spaces, and empty text is the root path", () => {
  expect(Path.of(["a b", "c.d"], { lenient: true }).steps).toEqual(["a b", "c.d"]);
  expect(() => Path.of(["a b"])).toThrow('found "a b"');
  expect(Path.parse("").length).toBe(0);
});
