import { describe, expect, test } from "@jest/globals";
import { BytesColumn, type HostDense, type RowPolicies, TensorAdapter, TensorSpec } from "../../src/index.js";
import { recordBatch } from "../arrow-values.js";
import { codedError, representations } from "../representations.js";

const batch = recordBatch([
  { name: "x", type: { list: "float32" }, values: [[1, 2], null, [], [3], [4, 5, 6], [7, 8]] },
  { name: "s", type: { list: "string" }, values: [["a"], ["b", "c"], [], null, ["d", "e", "f"], ["g", "h"]] },
  {
    name: "pairs",
    type: { list: "int64" },
    values: [["1", "2"], [], ["3", "4", "5", "6"], null, ["7", "8"], []],
  },
]);
const texts = {
  x: 'dense_tensor { column_name: "x" shape { dim { size: 2 } } default_value { float_value: -1 } }',
  s: 'dense_tensor { column_name: "s" shape { dim { size: 2 } } default_value { bytes_value: "-" } }',
  pairs:
    'dense_tensor { column_name: "pairs" shape { dim { size: 2 } dim { size: 2 } } default_value { int_value: 0 } }',
  strict: 'dense_tensor { column_name: "x" shape { dim { size: 2 } } }',
  sparse: 'varlen_sparse_tensor { column_name: "x" }',
};

function adapterWith(policies: RowPolicies, ...names: (keyof typeof texts)[]): TensorAdapter {
  const all = representations(texts);
  const tensorRepresentations = new Map([...all].filter(([name]) => names.some((each) => each === name)));
  return new TensorAdapter({ arrowSchema: batch.schema, tensorRepresentations, ...policies });
}

function dense(policies: RowPolicies, name: keyof typeof texts): HostDense {
  return adapterWith(policies, name).toHost(batch)[name] as HostDense;
}

function fail(): never {
  throw new Error("not to be called");
}

describe("row policies", () => {
  test("pad and truncate rows", () => {
    const { values, borrowed, shape } = dense({ onShort: "pad", onLong: "truncate" }, "x");
    expect(Array.from(values as Float32Array)).toEqual([1, 2, -1, -1, -1, -1, 3, -1, 4, 5, 7, 8]);
    expect([borrowed, shape]).toEqual([false, [6, 2]]);
  });

  test("do not mix the values of adjacent rows, even at the end of the column", () => {
    const uneven = recordBatch([
      { name: "x", type: { list: "float32" }, values: [[1, 2, 3], [9], [4, 5, 6]] },
    ]);
    const { x } = new TensorAdapter({
      arrowSchema: uneven.schema,
      tensorRepresentations: representations({ x: texts.x }),
      onShort: "pad",
      onLong: "truncate",
    }).toHost(uneven);
    expect(x?.values).toEqual(Float32Array.of(1, 2, 9, -1, 4, 5));
  });

  test("pad and truncate rows of strings", () => {
    const { values } = dense({ onShort: "pad", onLong: "truncate" }, "s");
    const text = (values as BytesColumn).toArray().map((bytes) => Buffer.from(bytes).toString());
    expect(text).toEqual(["a", "-", "b", "c", "-", "-", "-", "-", "d", "e", "g", "h"]);
  });

  test("pad and truncate only the first of several dimensions", () => {
    const { values } = dense({ onShort: "pad", onLong: "truncate" }, "pairs");
    expect(Array.from(values as BigInt64Array, Number)).toEqual([
      1, 2, 0, 0, 0, 0, 0, 0, 3, 4, 5, 6, 0, 0, 0, 0, 7, 8, 0, 0, 0, 0, 0, 0,
    ]);
    const odd = recordBatch([{ name: "pairs", type: { list: "int64" }, values: [["1"]] }]);
    const adapter = new TensorAdapter({
      arrowSchema: odd.schema,
      tensorRepresentations: representations({ pairs: texts.pairs }),
      onShort: "pad",
    });
    expect(codedError(() => adapter.toHost(odd))).toMatchObject({
      code: "shape-mismatch",
      reason: "row-shape",
      row: 0,
    });
  });

  test("each apply to one kind of row, except that onShort also applies to empty rows unless onEmpty rejects them", () => {
    const row = (policies: RowPolicies): unknown => codedError(() => dense(policies, "x"))["row"];
    expect(row({})).toBe(2);
    expect(row({ onEmpty: "default" })).toBe(3);
    expect(row({ onEmpty: "default", onShort: "pad" })).toBe(4);
    expect(row({ onShort: "pad" })).toBe(4);
    expect(row({ onEmpty: "error", onShort: "pad" })).toBe(2);
    expect(row({ onLong: "truncate" })).toBe(2);
    // Without a default value, a null row is an error under any policy.
    expect(codedError(() => dense({ onLong: "truncate" }, "strict"))).toMatchObject({ row: 1 });
  });

  test("let a tensor borrow the batch's memory if every row fits", () => {
    const fitting = batch.slice(5, 6);
    const adapter = adapterWith({ onShort: "pad", onLong: "truncate" }, "x");
    expect(adapter.toHost(fitting)["x"]).toMatchObject({ borrowed: true, values: Float32Array.of(7, 8) });
  });

  test("given for one tensor do not apply to other tensors", () => {
    const adapter = adapterWith({ onShort: { s: "pad" }, onLong: { s: "truncate" } }, "x", "s");
    expect(Object.keys(adapter.toHost(batch, ["s"]))).toEqual(["s"]);
    expect(codedError(() => adapter.toHost(batch, ["x"]))).toMatchObject({ row: 2, tensorName: "x" });
  });

  test("are rejected if they are misspelt, or if they name a tensor to which they cannot apply", () => {
    const rejected = (policies: object): unknown =>
      codedError(() => adapterWith(policies, "strict", "sparse", "x"));
    expect(rejected({ onEmpty: { none: "default" } })).toMatchObject({
      reason: "unknown-tensor",
      argument: "onEmpty",
    });
    expect(rejected({ onLong: { sparse: "truncate" } })).toMatchObject({
      reason: "policy-not-dense",
      argument: "onLong",
    });
    expect(rejected({ onShort: { strict: "pad" } })).toMatchObject({
      reason: "policy-needs-default",
      argument: "onShort",
    });
    const handlers = new Map([
      ["x", { typeSpec: new TensorSpec([null], "int8"), sourceColumns: [], toHost: () => fail() }],
    ]);
    expect(rejected({ onLong: { x: "truncate" }, handlers })).toMatchObject({ reason: "policy-not-dense" });
    for (const misspelt of [{ onEmpty: "pad" }, { onShort: { x: "truncate" } }, { onLong: "cut" }]) {
      expect(rejected(misspelt)).toMatchObject({
        code: "invalid-argument",
        argument: Object.keys(misspelt)[0],
      });
    }
    // A policy for all tensors skips the tensors to which it cannot apply.
    expect([
      ...adapterWith({ onShort: "pad", onEmpty: "default" }, "strict", "sparse").typeSpecs().keys(),
    ]).toEqual(["strict", "sparse"]);
  });
});
