import { expect, test } from "@jest/globals";
import { formatAdapterExplanation } from "../src/index.js";
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
