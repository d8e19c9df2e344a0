import { expect, test } from "@jest/globals";
import { type ExamplePlan, FeatureKind } from "../../../src/kernels/index.js";
import { createWasmKernels } from "../../../src/kernels/wasm/wasm-kernels.js";
import { Draw } from "./draw.js";
import { block } from "./hostile-input.js";
import { field, writeFields } from "./wire-tree.js";

const NUM_ROWS = 40;
const utf8 = new TextEncoder();
const names = Array.from({ length: 100 }, (_, i) => `alike_at_${String(i).padStart(3, "0")}_both_ends`);

/** Returns a record whose features are in random order. The value of each feature is the feature's name. */
function record(draw: Draw): Uint8Array {
  const entries = names
    .map((name) => ({ name, at: draw.below(2 ** 30) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ name }) => {
      const text = [...utf8.encode(name)];
      return field(1, [field(1, text), field(2, [field(1, [field(1, text)])])]);
    });
  return writeFields([field(1, entries)]);
}

test.each<[string, ExamplePlan]>([
  ["planned", { columns: names.map((name) => ({ name, kind: FeatureKind.bytes })) }],
  ["discovered", {}],
])("%s features are distinguished even if their names differ only in the middle", (_, plan) => {
  const draw = new Draw(8);
  const { bytes, starts, ends } = block(
    draw,
    Array.from({ length: NUM_ROWS }, () => record(draw)),
  );
  const decoder = createWasmKernels().exampleDecoder(plan);
  const limits = { maxRows: Infinity, maxBytes: Infinity };
  expect(decoder.pushRecords(bytes, starts, ends, 0, NUM_ROWS, limits).numRecords).toBe(NUM_ROWS);
  const { columns } = decoder.finish();
  expect(columns.map(({ name }) => name)).toEqual(names);
  for (const { name, values } of columns) {
    expect(Buffer.from(values as Uint8Array).toString()).toBe(name.repeat(NUM_ROWS));
  }
});
