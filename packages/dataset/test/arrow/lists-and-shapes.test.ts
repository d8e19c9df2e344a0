import { describe, expect, test } from "@jest/globals";
import { arrow } from "@tfxio/formats-arrow";
import { BytesColumn, type HostDense } from "@tfxio/tensor-adapter";
import { memoryTarget } from "@tfxio/wire";
import { Field, Int32, List, Table, Utf8, Vector, vectorFromArray } from "apache-arrow";
import { ArrowDataset, ArrowFeatherDataset, ArrowStreamDataset } from "../../src/arrow/index.js";

const table = new Table({
  id: vectorFromArray([1, 2, null], new Int32()),
  list: vectorFromArray([[1], [], [2, 3]], new List(new Field("item", new Int32(), true))),
  words: vectorFromArray([["a"], ["b", "c"], []], new List(new Field("item", new Utf8(), true))),
});

describe("lists: { pad }", () => {
  test("fills each list up to the length of the longest list in its batch", async () => {
    const options = { columns: ["list"], batchSize: 2, lists: { pad: -1 } } as const;
    const [first, second] = (await ArrowDataset.fromTable(table, options).toArray()) as [
      [HostDense],
      [HostDense],
    ];
    expect(first[0]).toMatchObject({ kind: "dense", dtype: "int32", shape: [2, 1] });
    expect([...(first[0].values as Int32Array)]).toEqual([1, -1]);
    expect(second[0].shape).toEqual([1, 2]);
    expect([...(second[0].values as Int32Array)]).toEqual([2, 3]);
  });

  test("fills lists of text", async () => {
    const options = { columns: ["words"], batchMode: "auto", lists: { pad: "?" } } as const;
    const [[words]] = (await ArrowDataset.fromTable(table, options).toArray()) as [[HostDense]];
    expect(words.shape).toEqual([3, 2]);
    const texts = (words.values as BytesColumn).toArray().map((bytes) => new TextDecoder().decode(bytes));
    expect(texts).toEqual(["a", "?", "b", "c", "?", "?"]);
  });

  test("rejects a value that the dtype cannot hold", async () => {
    const dataset = ArrowDataset.fromTable(table, { columns: ["list"], batchSize: 3, lists: { pad: 0.5 } });
    await expect(dataset.toArray()).rejects.toMatchObject({ code: "invalid-argument" });
  });
});

describe("outputShapes", () => {
  test("change nothing if they fit the columns", async () => {
    const options = { columns: ["id", "list"], nulls: { fill: 0 } };
    const expected = await ArrowDataset.fromTable(table, options).toArray();
    const dataset = ArrowDataset.fromTable(table, { ...options, outputShapes: [[], [null]] });
    expect(await dataset.toArray()).toEqual(expected);
    expect(expected).toHaveLength(3);
  });

  test.each([
    ["lists for a flat column", { columns: ["id"], outputShapes: [[null]] }],
    ["scalars for a list column", { columns: ["list"], outputShapes: [[]] }],
  ])("of %s are rejected at the call", (_, options) => {
    expect(() => ArrowDataset.fromTable(table, options)).toThrow("[schema-mismatch]");
  });

  test("for a different number of columns are rejected at the call", () => {
    expect(() => ArrowDataset.fromTable(table, { columns: ["id"], outputShapes: [[], []] })).toThrow(
      "[invalid-argument] outputShapes",
    );
  });

  test("that fix the length of lists cause an error that names the first row with a different length", async () => {
    const dataset = ArrowDataset.fromTable(table, {
      columns: ["list"],
      outputShapes: [[1]],
      batchMode: "auto",
    });
    await expect(dataset.toArray()).rejects.toMatchObject({
      code: "shape-mismatch",
      reason: "row-shape",
      columnPath: "list",
      row: 1,
    });
  });
});

describe('as: "columns"', () => {
  test("yields Arrow vectors by name, including nulls", async () => {
    const options = { as: "columns", columns: ["list", "id"], batchMode: "auto" } as const;
    const [columns] = (await ArrowDataset.fromTable(table, options).toArray()) as [Record<string, Vector>];
    expect(Object.keys(columns)).toEqual(["list", "id"]);
    expect([...(columns["id"] as Vector)]).toEqual([1, 2, null]);
  });

  test("rejects two columns with the same name", () => {
    const options = { columns: ["id", "id"], as: "columns" } as const;
    expect(() => ArrowDataset.fromTable(table, options)).toThrow('"id"');
  });

  test("yields batches of the requested size", async () => {
    const options = { as: "columns", columns: ["id"], batchSize: 2 } as const;
    const batches = (await ArrowDataset.fromTable(table, options).toArray()) as { id: Vector }[];
    expect(batches.map(({ id }) => id.length)).toEqual([2, 1]);
  });
});

describe("fromSchema", () => {
  const { schema } = table;

  test("rejects, at the call, options that do not match the schema", () => {
    const options = { columns: [3] };
    expect(() => ArrowFeatherDataset.fromSchema("x.arrow", schema, options)).toThrow("[invalid-argument]");
    expect(() => ArrowStreamDataset.fromSchema("h:1", schema, options)).toThrow("[invalid-argument]");
  });

  test("reads files with the given schema, and rejects files with a different one", async () => {
    const target = memoryTarget("ids.arrow");
    const ids = table.select(["id"]);
    const writer = await arrow.createWriter(target, { arrowSchema: ids.schema });
    for (const batch of ids.batches) await writer.write(batch);
    await writer.finish();
    await target.commit();
    const rows = ArrowFeatherDataset.fromSchema(target.bytes(), ids.schema, { nulls: { fill: 7 } });
    expect((await rows.toArray()).flat()).toEqual([1, 2, 7]);
    const others = ArrowFeatherDataset.fromSchema(target.bytes(), schema, { columns: ["list"] });
    await expect(others.toArray()).rejects.toMatchObject({ code: "schema-mismatch" });
  });
});

test("ArrowStreamDataset.fromRecordBatches reads the batches anew in every pass, without a socket", async () => {
  const dataset = ArrowStreamDataset.fromRecordBatches(() => table.batches, {
    columns: ["id"],
    nulls: "mask",
  });
  expect(await dataset.toArray()).toHaveLength(3);
  expect(await dataset.toArray()).toHaveLength(3);
});
