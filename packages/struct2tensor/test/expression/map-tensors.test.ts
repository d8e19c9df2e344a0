import { describe, expect, test } from "@jest/globals";
import type { HostSparse } from "@tfxio/tensor-adapter";
import {
  calculate,
  fromPrensor,
  fromRecordBatch,
  type Prensor,
  prensorOf,
  toRecordBatch,
} from "@tfxio/struct2tensor";
import { flattenPrensor } from "../naive/data.js";

const year = { dtype: "int64", isRepeated: false, kind: "leaf" } as const;
const prensor = prensorOf({
  "": { kind: "root", size: 3 },
  year: { ...year, parentIndex: Int32Array.of(0, 2), values: BigInt64Array.of(7n, 9n) },
});

/** Runs a query whose callback returns one value for each of the given rows: the index of that row. */
function moved(...rows: readonly number[]): Promise<Prensor> {
  const move = (tensor: HostSparse): HostSparse => ({
    ...tensor,
    indices: Int32Array.from(rows),
    values: BigInt64Array.from(rows, BigInt),
  });
  const options = { as: "moved", dtype: "int64", isRepeated: false } as const;
  return calculate(fromPrensor(prensor).mapSparseTensors("", ["year"], move as never, options));
}

async function movedLeaf(...rows: readonly number[]): Promise<unknown> {
  return flattenPrensor(await moved(...rows))["moved"];
}

describe("a callback of mapSparseTensors", () => {
  test.each([[[-1, 0]], [[0, 3]]])(
    "is rejected if it returns values in rows %j of a batch of three rows",
    async (rows) => {
      await expect(moved(...rows)).rejects.toMatchObject({ code: "shape-mismatch" });
    },
  );

  test("is rejected if it returns several values in one row of an optional leaf", async () => {
    await expect(moved(1, 1)).rejects.toMatchObject({ code: "shape-mismatch", reason: "not-optional" });
  });

  test("may return fewer or more values than it receives", async () => {
    expect(await movedLeaf()).toMatchObject({ parentIndex: [], values: [] });
    expect(await movedLeaf(0, 1, 2)).toMatchObject({ parentIndex: [0, 1, 2], values: [0n, 1n, 2n] });
  });

  test("is rejected with the code user-function if the `values` of its result are an object without a prototype", async () => {
    const options = { as: "moved", dtype: "int64", isRepeated: false } as const;
    const values: unknown = Object.create(null);
    const wrong = (tensor: HostSparse): HostSparse => ({ ...tensor, values: values as BigInt64Array });
    const query = fromPrensor(prensor).mapSparseTensors("", ["year"], wrong, options);
    await expect(calculate(query)).rejects.toMatchObject({ code: "user-function" });
  });
});

test("a dense int64 view accepts a safe integer or a bigint as its default, and rejects other numbers", () => {
  for (const defaultValue of [5, 5n]) {
    expect(prensor.dense("year", { defaultValue }).values).toEqual(BigInt64Array.of(7n, 5n, 9n));
  }
  for (const defaultValue of [0.5, 2 ** 53]) {
    expect(() => prensor.dense("year", { defaultValue })).toThrow(
      expect.objectContaining({ code: "not-convertible", reason: "default-value" }),
    );
  }
});

test("fromRecordBatch accepts a record batch made by another copy of arrow-js", async () => {
  const { schema, numRows, data } = toRecordBatch(prensor);
  // Like a batch from another copy, a plain object is not an instance of this copy's RecordBatch.
  const foreign = { schema, numRows, data } as never;
  const years = (await calculate(fromRecordBatch(foreign))).sparse("year");
  expect(years.values).toEqual(BigInt64Array.of(7n, 9n));
});
