import { expect, test } from "@jest/globals";
import { formatAdapterExplanation, StructuredTensorAdapter } from "../src/index.js";
import { recordBatch } from "./arrow-values.js";
import { adapterFor } from "./representations.js";

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

test("explain tells what lies in any batch, and on what condition", () => {
  const [x, gap, text, large] = adapter.explain().tensors;
  expect(x).toMatchObject({
    tensorName: "x",
    parts: [
      { part: "values", memory: "view", why: "lies in the batch as it is, unless null rows hide values" },
      { part: "row splits", memory: "view" },
    ],
    toTensors: "float32, the same array; the cpu backend shares it, others upload it",
  });
  expect(x?.sourceColumns.map(String)).toEqual(["x"]);
  expect(gap?.parts).toMatchObject([
    { memory: "view", why: expect.stringContaining("filled up with the default value") },
  ]);
  expect(gap?.toTensors).toContain("int32, each value checked");
  expect(text?.parts).toMatchObject([{ memory: "view" }, { part: "indices", memory: "copy" }]);
  expect(large?.parts).toMatchObject([
    { memory: "view" },
    { memory: "copy", why: expect.stringContaining("LargeList") },
  ]);
});

test("explain of a batch tells what was done with it", () => {
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
  // A slice that begins later moves row splits; without its null row, the dense tensor is a view.
  expect(memory(2, 3)).toEqual({
    x: ["view", "copy"],
    gap: ["view"],
    text: ["view", "copy"],
    large: ["view", "copy"],
  });
  const [, gap] = adapter.explain(batch).tensors;
  expect(gap?.parts[0]?.why).toBe(
    "rows are filled up with the default value or cut off, or null rows hide values",
  );
});

test("an explanation prints as a table", () => {
  const table = formatAdapterExplanation(adapterFor(batch, { x: texts.x, gap: texts.gap }).explain(batch));
  expect(table.split("\n")).toEqual([
    "tensor  spec                   part        memory  because",
    "x       ragged float32 [?, ?]  values      view    lies in the batch as it is",
    "                               row splits  view    lies in the batch as it is",
    "                               tensor              float32, the same array; the cpu backend shares it, others upload it",
    "gap     dense int64 [?]        values      copy    rows are filled up with the default value or cut off, or null rows hide values",
    "                               tensor              int32, each value checked in a copy (option int64)",
  ]);
});

test("an explanation of structured tensors has a row for each field, named by its path", () => {
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
    "example.id            dense int32 [?]         values      view    lies in the batch as it is, unless null rows hide values",
    "                                              tensor              int32, the same array; the cpu backend shares it, others upload it",
    "example.clicks.url    ragged string [?, ?]    values      view    lies in the batch as it is, unless null rows hide values",
    "                                              row splits  view    lies in the batch as it is, unless the batch is a slice, or null rows hide values, or partitions divide them",
    "                                              tensor              string, one byte array per value",
    "example.clicks.times  ragged int64 [?, ?, ?]  values      view    lies in the batch as it is, unless null rows hide values",
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
  // Row splits of a slice that begins later are moved.
  expect(memory(1)).toEqual([
    ["example.id", ["id"], ["view"]],
    ["example.clicks.url", ["clicks.url"], ["view", "copy"]],
    ["example.clicks.times", ["clicks.times"], ["view", "copy"]],
  ]);
});
