import {
  batchByteSize,
  canonicalBatch,
  columnAtPath,
  columnsByPath,
  mergeBatches,
  takeRows,
} from "@tfxio/arrow-encoding";
import { ColumnPath } from "@tfxio/schema";
import type { RecordBatch } from "apache-arrow";
import type { Handler, Json } from "../handler.js";
import {
  type ArrayJson,
  buildArray,
  buildRecordBatch,
  expectedArray,
  expectedBatch,
  plainArray,
  plainBatch,
  type RecordBatchJson,
} from "../values/arrow-array.js";
import { type TypeJson, withoutLarge } from "../values/arrow-type.js";

const asIs = (type: TypeJson): TypeJson => type;
/** Replaces every type with "any", for cases that expect only values. */
const untyped = (): TypeJson => "any";

function batchOf(input: Json): RecordBatch {
  return buildRecordBatch(input["record_batch"] as RecordBatchJson);
}

const givesBatch = (operation: (input: Json) => RecordBatch): Handler => ({
  actual: (input) => plainBatch(operation(input), asIs),
  expected: (expect) => expectedBatch(expect["record_batch"] as RecordBatchJson, asIs),
});

/**
 * Returns the function that prepares types for comparison. It ignores offset widths, because we wrap structs in lists with 32-bit
 * offsets.
 */
const typeFor = (expect: Json): ((type: TypeJson) => TypeJson) =>
  "compare" in expect ? untyped : withoutLarge;

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : 1;

/** Handlers of functions on record batches. */
export const tableUtil: Readonly<Record<string, Handler>> = {
  CanonicalizeRecordBatch: givesBatch((input) => canonicalBatch(batchOf(input), { listType: "large" })),
  MergeRecordBatches: {
    actual: (input, expect) => {
      const merged = mergeBatches((input["record_batches"] as RecordBatchJson[]).map(buildRecordBatch));
      const { num_rows, columns } = plainBatch(merged, asIs);
      return {
        ...("num_rows" in expect && { num_rows }),
        columns: Object.fromEntries(columns.map(({ name, type, values }) => [name, { type, values }])),
        ...("column_order" in expect && { order: columns.map(({ name }) => name) }),
      };
    },
    expected: (expect) => {
      const arrays = Object.entries(expect["columns_by_name"] as Readonly<Record<string, ArrayJson>>);
      return {
        ...("num_rows" in expect && { num_rows: expect["num_rows"] }),
        columns: Object.fromEntries(arrays.map(([name, array]) => [name, expectedArray(array, asIs)])),
        ...("column_order" in expect && { order: expect["column_order"] }),
      };
    },
  },
  RecordBatchTake: givesBatch((input) => {
    const rows = buildArray(input["indices"] as ArrayJson).values as Int32Array | BigInt64Array;
    return takeRows(batchOf(input), Uint32Array.from(rows as ArrayLike<number | bigint>, Number));
  }),
  TotalByteSize: {
    actual: (input) =>
      batchByteSize(batchOf(input), {
        ignoreUnsupported: input["ignore_unsupported"] as boolean | undefined,
      }),
    expected: (expect) => expect["value"],
  },
  enumerate_arrays: {
    actual: (input, expect) => {
      const found = columnsByPath(batchOf(input), {
        leavesOnly: input["enumerate_leaves_only"] as boolean,
        wrapFlatStructs: input["wrap_flat_struct_in_list"] as boolean,
      });
      return Array.from(found, ({ path, data }) => ({
        path: path.toString(),
        array: plainArray(data, typeFor(expect)),
      })).sort(byPath);
    },
    expected: (expect) =>
      (expect["arrays_any_order"] as { path: string[]; array: ArrayJson }[])
        .map(({ path, array }) => ({
          path: new ColumnPath(path).toString(),
          array: expectedArray(array, typeFor(expect)),
        }))
        .sort(byPath),
  },
  get_array: {
    actual: (input) => {
      const { data, rows } = columnAtPath(batchOf(input), new ColumnPath(input["path"] as string[]), {
        wrapFlatStructs: input["wrap_flat_struct_in_list"] as boolean,
      });
      return {
        array: plainArray(data, withoutLarge),
        ...(input["return_example_indices"] === true && { example_indices: [...rows] }),
      };
    },
    expected: (expect) => ({ ...expect, array: expectedArray(expect["array"] as ArrayJson, withoutLarge) }),
  },
};
