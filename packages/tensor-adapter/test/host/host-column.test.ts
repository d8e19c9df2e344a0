import { expect, test } from "@jest/globals";
import { numRowsOf } from "../../src/index.js";
import { recordBatch } from "../arrow-values.js";
import { adapterFor } from "../representations.js";

test("numRowsOf counts the rows of the batch for every kind of tensor", () => {
  const batch = recordBatch([{ name: "x", type: { list: "int8" }, values: [[1], [2], [3]] }]);
  const adapter = adapterFor(batch, {
    dense: 'dense_tensor { column_name: "x" shape { } }',
    sparse: 'varlen_sparse_tensor { column_name: "x" }',
    ragged: 'ragged_tensor { feature_path { step: "x" } }',
  });
  for (const numRows of [3, 1, 0]) {
    const host = adapter.toHost(batch.slice(0, numRows));
    expect(Object.values(host).map(numRowsOf)).toEqual([numRows, numRows, numRows]);
  }
});
