import { expect, test } from "@jest/globals";
import { ColumnPath } from "@tfxio/schema";
import { type Data, Field, Int32, List, makeData } from "apache-arrow";
import {
  formatAdapterExplanation,
  StructuredTensorAdapter,
  TensorAdapter,
  type TensorHandler,
  TensorSpec,
} from "../../src/index.js";
import { batchOf, recordBatch } from "../arrow-values.js";
import { adapterFor } from "../representations.js";

const column = (
  name: string,
  type: Parameters<typeof recordBatch>[0][number]["type"],
  values: unknown[],
) => ({ name, type, values });
const batch = recordBatch([
  column("x", { list: "float32" }, [[1], [2], [3]]),
  column("gap", { list: "int64" }, [["1"], null, ["3"]]),
  column("text", { list: "string" }, [["a"], ["b"], ["c"]]),
  column("large", { large_list: "float32" }, [[1], [2], [3]]),
]);
const texts = {
  x: 'ragged_tensor { feature_path { step: "x" } }',
  gap: 'dense_tensor { column_name: "gap" shape { } default_value { int_value: 0 } }',
  text: 'varlen_sparse_tensor { column_name: "text" }',
  large: 'ragged_tensor { feature_path { step: "large" } }',
};
const adapter = adapterFor(batch, texts);

test("explain reports whether each part of a tensor is a view or a copy, and why", () => {
  const [x, gap, text, large] = adapter.explain().tensors;
  expect(x).toMatchObject({
    tensorName: "x",
    parts: [
      { part: "values", memory: "view", why: "used in place, unless null rows hide values" },
      { part: "row splits", memory: "view" },
    ],
    toTensors: "float32, the same array; the cpu backend shares it, others upload it",
  });
  expect(x?.sourceColumns.map(String)).toEqual(["x"]);
  expect(gap?.parts).toMatchObject([
    { memory: "view", why: expect.stringContaining("padded with the default value") },
  ]);
  expect(gap?.toTensors).toContain("int32, each value checked");
  expect(text?.parts).toMatchObject([{ memory: "view" }, { part: "indices", memory: "copy" }]);
  expect(large?.parts).toMatchObject([
    { memory: "view" },
    { memory: "copy", why: expect.stringContaining("LargeList") },
  ]);
});

test("explain(batch) reports which parts of the batch's tensors are views and which are copies", () => {
  const memory = (from: number, to: number): Record<string, string[]> =>
    Object.fromEntries(
      adapter
        .explain(batch.slice(from, to))
        .tensors.map(({ tensorName, parts }) => [tensorName, parts.map((part) => part.memory)]),
    );
  expect(memory(0, 3)).toEqual({
    x: ["view", "view"],
    gap: ["copy"],
    text: ["view", "copy"],
    large: ["view", "copy"],
  });
  // A slice that begins after row 0 needs new row splits. Row 2 is not null, so the dense tensor is a view.
  expect(memory(2, 3)).toEqual({
    x: ["view", "copy"],
    gap: ["view"],
    text: ["view", "copy"],
    large: ["view", "copy"],
  });
  const [, gap] = adapter.explain(batch).tensors;
  expect(gap?.parts[0]?.why).toBe("rows are padded with the default value");
});

test("explain(batch) gives only the reasons that apply to the batch", () => {
  const oddTexts = {
    values: 'ragged_tensor { feature_path { step: "x" } }',
    pairs: 'ragged_tensor { feature_path { step: "x" } partition { uniform_row_length: 2 } }',
    cut: 'dense_tensor { column_name: "x" shape { dim { size: 2 } } default_value { int_value: 0 } }',
  };
  const reasons = (data: Data): unknown => {
    const odd = batchOf(["x"], [data]);
    const { tensors } = adapterFor(odd, oddTexts, { onShort: "pad", onLong: "truncate" }).explain(odd);
    return tensors.map(({ parts }) => parts.map(({ memory, why }) => (memory === "copy" ? why : "view")));
  };
  const list = (offsets: number[], validity?: number): Data =>
    makeData({
      type: new List(new Field("item", new Int32(), true)),
      length: offsets.length - 1,
      nullCount: validity === undefined ? 0 : 1,
      nullBitmap: validity === undefined ? undefined : Uint8Array.of(validity),
      valueOffsets: Int32Array.from(offsets),
      child: makeData({ type: new Int32(), length: 8, nullCount: 0, data: new Int32Array(8) }),
    });
  const divided = "partitions subdivide the rows";
  expect(reasons(list([0, 2, 4]))).toEqual([["view", "view"], ["view", divided], ["view"]]);
  expect(reasons(list([0, 4, 8]))).toEqual([["view", "view"], ["view", divided], ["rows are truncated"]]);
  // The second row is null with hidden values, so the values after it must move.
  const hidden = "null rows hide values";
  expect(reasons(list([0, 2, 4, 6], 0b101))).toEqual([
    [hidden, hidden],
    [hidden, divided],
    ["rows are padded with the default value"],
  ]);
  // The null row comes first, so the row splits change, but the values after it are still a view.
  expect(reasons(list([0, 2, 4], 0b10))).toEqual([
    ["view", hidden],
    ["view", divided],
    ["rows are padded with the default value"],
  ]);
  expect(reasons(list([2, 2, 8]))).toEqual([
    ["view", "the batch is a slice"],
    ["view", divided],
    ["rows are padded with the default value, and rows are truncated"],
  ]);
});

test("explain reports that a custom handler made a tensor, but only explain(batch) distinguishes a view from a copy", () => {
  const own = (borrowed: boolean): TensorHandler => ({
    typeSpec: new TensorSpec([null], "float32"),
    sourceColumns: [new ColumnPath(["x"])],
    toHost: ({ data, numRows }) => {
      const values = data.children[0]?.children[0]?.values as Float32Array;
      const shape = [numRows];
      return { kind: "dense", dtype: "float32", shape, values: borrowed ? values : values.slice(), borrowed };
    },
  });
  const handling = new TensorAdapter({
    arrowSchema: batch.schema,
    tensorRepresentations: new Map(),
    handlers: new Map([
      ["view", own(true)],
      ["copy", own(false)],
    ]),
  });
  const partsOf = (of?: typeof batch): unknown => handling.explain(of).tensors.map(({ parts }) => parts);
  const part = { part: "values", why: "made by the handler" };
  expect(partsOf()).toEqual([[{ ...part, memory: "either" }], [{ ...part, memory: "either" }]]);
  expect(partsOf(batch)).toEqual([[{ ...part, memory: "view" }], [{ ...part, memory: "copy" }]]);
  expect(handling.project(["copy"]).explain().tensors[0]?.parts).toEqual([{ ...part, memory: "either" }]);
});

test("explain reports that the bools of a custom handler stay bool and are not copied", () => {
  const flags: TensorHandler = {
    typeSpec: new TensorSpec([null], "bool"),
    sourceColumns: [new ColumnPath(["x"])],
    toHost: ({ numRows }) => {
      return {
        kind: "dense",
        dtype: "bool",
        shape: [numRows],
        values: new Uint8Array(numRows),
        borrowed: false,
      };
    },
  };
  const handling = new TensorAdapter({
    arrowSchema: batch.schema,
    tensorRepresentations: new Map(),
    handlers: new Map([["flags", flags]]),
  });
  expect(handling.explain().tensors[0]?.toTensors).toBe(
    "bool, the same array; the cpu backend shares it, others upload it",
  );
});

test("an explanation is formatted as a table", () => {
  const table = formatAdapterExplanation(adapterFor(batch, { x: texts.x, gap: texts.gap }).explain(batch));
  expect(table.split("\n")).toEqual([
    "tensor  spec                   part        memory  because",
    "x       ragged float32 [?, ?]  values      view    used in place",
    "                               row splits  view    used in place",
    "                               tensor              float32, the same array; the cpu backend shares it, others upload it",
    "gap     dense int64 [?]        values      copy    rows are padded with the default value",
    "                               tensor              int32, each value checked in a copy (option int64)",
  ]);
});

test("an explanation of structured tensors describes each field separately, under its path", () => {
  const click = {
    struct: [
      { name: "url", type: "string" },
      { name: "times", type: { large_list: "int64" } },
    ],
  } as const;
  const nested = recordBatch([
    { name: "id", type: "int32", values: [7, 8] },
    {
      name: "clicks",
      type: { list: click },
      values: [
        [
          { url: "a", times: ["1", "2"] },
          { url: "b", times: null },
        ],
        [{ url: "c", times: ["3"] }],
      ],
    },
  ]);
  const structured = new StructuredTensorAdapter({
    arrowSchema: nested.schema,
    structuredTensors: new Map([["example", { columnNames: ["id", "clicks"] }]]),
  });
  expect(formatAdapterExplanation(structured.explain()).split("\n")).toEqual([
    "tensor                spec                    part        memory  because",
    "example.id            dense int32 [?]         values      view    used in place",
    "                                              tensor              int32, the same array; the cpu backend shares it, others upload it",
    "example.clicks.url    ragged string [?, ?]    values      view    used in place, unless null rows hide values",
    "                                              row splits  view    used in place, unless the batch is a slice, or null rows hide values",
    "                                              tensor              string, the bytes copied, one byte array per value",
    "example.clicks.times  ragged int64 [?, ?, ?]  values      view    used in place, unless null rows hide values",
    "                                              row splits  copy    LargeList and FixedSizeList have no 32-bit offsets to view",
    "                                              tensor              int32, each value checked in a copy (option int64)",
  ]);
  const memory = (from: number): unknown =>
    structured
      .explain(nested.slice(from))
      .tensors.map(({ tensorName, sourceColumns, parts }) => [
        tensorName,
        sourceColumns.map(String),
        parts.map((part) => part.memory),
      ]);
  expect(memory(0)).toEqual([
    ["example.id", ["id"], ["view"]],
    ["example.clicks.url", ["clicks.url"], ["view", "view"]],
    ["example.clicks.times", ["clicks.times"], ["view", "copy"]],
  ]);
  // A slice that begins after row 0 needs new row splits.
  expect(memory(1)).toEqual([
    ["example.id", ["id"], ["view"]],
    ["example.clicks.url", ["clicks.url"], ["view", "copy"]],
    ["example.clicks.times", ["clicks.times"], ["view", "copy"]],
  ]);
});
