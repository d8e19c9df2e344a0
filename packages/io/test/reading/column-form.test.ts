import { beforeAll, describe, expect, test } from "@jest/globals";
import { batchByteSize } from "@tfxio/arrow-encoding";
import type { Format } from "@tfxio/format";
import { parseSchemaText } from "@tfxio/schema";
import { memoryTarget, type Position } from "@tfxio/wire";
import { tableFromArrays } from "apache-arrow";
import { openTfxio, type TfxioOptions, writeTfxio } from "../../src/index.js";
import { collect, range } from "../fixtures.js";
import { importTable, tableFile, type TableRow } from "../worker-formats/index.js";

const ROWS: readonly TableRow[] = [
  { id: 1, weight: 0.5, name: "one", isNew: true },
  { id: 2, weight: null, name: "", isNew: null },
  { id: -3, weight: 1024.25, name: null, isNew: false },
];
let format: Format;
beforeAll(async () => {
  format = await importTable();
});
const open = (options: TfxioOptions = {}, rows = ROWS): ReturnType<typeof openTfxio> =>
  openTfxio(tableFile(rows), { format, ...options });
const typesOf = async (options: TfxioOptions): Promise<string[]> =>
  (await open(options)).arrowSchema().fields.map(String);

describe("columns of a table", () => {
  test("hold lists of one value by default, and null where a value is missing", async () => {
    const tfxio = await open();
    expect(tfxio.arrowSchema().fields.map(String)).toEqual([
      "id: List<Int64>",
      "weight: List<Float64>",
      "name: List<Binary>",
      "isNew: List<Uint8>",
    ]);
    expect(await collect(tfxio.rows())).toEqual([
      { id: [1], weight: [0.5], name: ["one"], isNew: [true] },
      { id: [2], weight: null, name: [""], isNew: null },
      { id: [-3], weight: [1024.25], name: null, isNew: [false] },
    ]);
    for await (const batch of tfxio.recordBatches({ batchSize: 2 }))
      expect(batch.schema.fields.map(String)).toEqual(tfxio.arrowSchema().fields.map(String));
  });

  test('keep the types of the file if columnForm is "stored"', async () => {
    const tfxio = await open({ columnForm: "stored" });
    expect(tfxio.arrowSchema().fields.map(String)).toEqual([
      "id: Int32",
      "weight: Float64",
      "name: Utf8",
      "isNew: Bool",
    ]);
    expect(await collect(tfxio.rows())).toEqual(ROWS);
  });

  test("can include row positions, in stored form and in list form", async () => {
    expect(
      (await collect((await open({ columnForm: "stored", rowPositionColumn: "at" })).rows())).at(-1),
    ).toEqual({ ...ROWS[2], at: 2 });
    const listed = await open({ rowPositionColumn: "at", columns: ["id"] });
    expect(listed.arrowSchema().fields.map(String)).toEqual(["id: List<Int64>", "at: List<Int64>"]);
    expect(await collect(listed.rows())).toEqual([
      { id: [1], at: [0] },
      { id: [2], at: [1] },
      { id: [-3], at: [2] },
    ]);
  });

  test.each(["lists", "stored"] as const)(
    'can be filtered and split if columnForm is "%s"',
    async (columnForm) => {
      const rows = range(0, 200).map((id) => ({ id, name: id % 3 === 0 ? null : `n${id % 2}` }));
      const tfxio = await openTfxio(tableFile(rows), {
        format,
        columnForm,
        columns: ["id"],
        filter: 'name == "n1"',
      });
      const ids = async (one: typeof tfxio): Promise<number[]> =>
        (await collect(one.rows())).map(({ id }) => Number(id));
      const expected = range(0, 200).filter((id) => id % 3 !== 0 && id % 2 === 1);
      expect(await ids(tfxio)).toEqual(expected);
      const { train, validation } = tfxio.split({ validation: 0.5 });
      expect([...(await ids(train)), ...(await ids(validation))].sort((a, b) => a - b)).toEqual(expected);
      expect(train.arrowSchema().names).toEqual(["id"]);
    },
  );
});

describe("a given schema", () => {
  const schema = parseSchemaText(`
    feature { name: "weight" type: FLOAT }
    feature { name: "id" type: INT }
    feature { name: "missing" type: BYTES }
  `);

  test("converts the columns to its types, and determines their order", async () => {
    expect(await typesOf({ schema })).toEqual([
      "weight: List<Float32>",
      "id: List<Int64>",
      "missing: List<Binary>",
    ]);
    expect((await collect((await open({ schema })).rows()))[0]).toEqual({
      weight: [0.5],
      id: [1],
      missing: null,
    });
  });

  test("rejects float64 values that float32 cannot represent exactly, unless rounding is requested", async () => {
    const rows = [{ id: 1, weight: 0.1 }];
    await expect(collect((await open({ schema }, rows)).rows())).rejects.toMatchObject({
      code: "out-of-range",
      reason: "float32-inexact",
      columnPath: "weight",
    });
    const rounded = await open({ schema, float64: "float32-lossy" }, rows);
    const [batch] = await collect(rounded.recordBatches());
    expect(batch?.getChild("weight")?.get(0)?.get(0)).toBe(Math.fround(0.1));
  });

  test("rejects an integer column that it declares as bytes", async () => {
    const wrong = parseSchemaText('feature { name: "id" type: BYTES }');
    await expect(collect((await open({ schema: wrong })).rows())).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "wrong-kind",
    });
  });

  test.each(["parquet", "arrow", "avro"])(
    "causes errors that name the file if the schema does not fit the columns of %s files",
    async (extension) => {
      const files = await Promise.all(
        [Float64Array.of(0.5), Float64Array.of(0.1)].map(async (x, index) => {
          const target = memoryTarget(`${index}.${extension}`);
          await writeTfxio(tableFromArrays({ x, name: ["Ada"] }).batches, target);
          return new File([target.bytes()], `${index}.${extension}`);
        }),
      );
      const readAll = async (text: string): Promise<unknown> =>
        collect((await openTfxio(files, { schema: parseSchemaText(text) })).rows({ workers: 0 }));
      await expect(readAll('feature { name: "name" type: INT }')).rejects.toMatchObject({
        code: "schema-mismatch",
        reason: "wrong-kind",
        columnPath: "name",
        expected: "Int64",
        uri: `0.${extension}`,
        message: expect.stringMatching(
          `^\\[schema-mismatch\\] 0\\.${extension}: Column "name" must hold Int64, .*found Binary\\.$`,
        ),
        cause: expect.objectContaining({ code: "schema-mismatch" }),
      });
      await expect(readAll('feature { name: "x" type: FLOAT }')).rejects.toMatchObject({
        code: "out-of-range",
        reason: "float32-inexact",
        columnPath: "x",
        row: 0,
        uri: `1.${extension}`,
        message: expect.stringContaining(`] 1.${extension}: A float64 value must be exact in float32`),
      });
    },
  );

  test('drops columns that it does not list, unless the option `unlisted` is "error"', async () => {
    const ids = parseSchemaText('feature { name: "id" type: INT }');
    expect(await typesOf({ schema: ids })).toEqual(["id: List<Int64>"]);
    await expect(
      open({ schema: ids, unlisted: "error" }).then((tfxio) => collect(tfxio.rows())),
    ).rejects.toMatchObject({ reason: "unlisted-feature" });
    await expect(
      open({ schema: ids, unlisted: "error", rowPositionColumn: "at" }).then((tfxio) =>
        collect(tfxio.rows()),
      ),
    ).rejects.toMatchObject({ columnPath: "weight" });
  });

  test("does not change stored columns", async () => {
    expect(await typesOf({ schema, columnForm: "stored" })).toEqual([
      "id: Int32",
      "weight: Float64",
      "name: Utf8",
      "isNew: Bool",
    ]);
  });

  test("keeps its types in a projection", async () => {
    const tfxio = (await open({ schema })).project(["weight"]);
    expect(tfxio.arrowSchema().fields.map(String)).toEqual(["weight: List<Float32>"]);
    expect(await collect(tfxio.rows())).toEqual([{ weight: [0.5] }, { weight: null }, { weight: [1024.25] }]);
  });
});

describe("an inferred schema", () => {
  test("describes the columns without narrowing them", async () => {
    const tfxio = await open({ inferSchema: "first" }, [{ id: 1, weight: 0.1, name: "a", isNew: true }]);
    expect(tfxio.arrowSchema().fields.map(String)).toEqual([
      "id: List<Int64>",
      "weight: List<Float64>",
      "name: List<Binary>",
      "isNew: List<Uint8>",
    ]);
    expect(await collect(tfxio.rows())).toEqual([{ id: [1], weight: [0.1], name: ["a"], isNew: [true] }]);
    expect(tfxio.schema().feature.map(({ name }) => name)).toEqual(["id", "weight", "name", "isNew"]);
  });

  test("has a feature for each stored column, and leaves the rows in stored form", async () => {
    const tfxio = await open({ inferSchema: "full", columnForm: "stored" });
    expect(await collect(tfxio.rows())).toEqual(ROWS);
    expect(tfxio.schema().feature).toHaveLength(4);
  });
});

describe("a request unsupported by the format", () => {
  const rows = range(0, 400).map((id) => ({ id, name: "x".repeat(100) }));

  test("is rejected if only the format could handle it, as is the case for raw records", async () => {
    await expect(open({ rawRecordColumn: "raw" })).rejects.toMatchObject({
      code: "unsupported",
      reason: "undeclared-request",
    });
    const tfxio = await open();
    await expect(collect(tfxio.rawRecords())).rejects.toMatchObject({ code: "unsupported" });
  });

  test("is handled by the library if possible: batches end near the requested number of bytes", async () => {
    const tfxio = await open({ batchBytes: 1000 }, rows);
    const batches = await collect(tfxio.recordBatches());
    expect(batches.length).toBeGreaterThan(400 / 10);
    for (const batch of batches) expect(batchByteSize(batch)).toBeLessThan(2500);
    expect(await collect(tfxio.rows())).toHaveLength(400);
    let numLeased = 0;
    for await (const lease of tfxio.leasedBatches()) {
      numLeased += lease.batch.numRows;
      lease.release();
    }
    expect(numLeased).toBe(400);
  });

  test("is ignored if the request is only a hint, such as the size of splits", async () => {
    const tfxio = await open({ splitBytes: 100 }, rows);
    expect((await tfxio.plan()).splits).toHaveLength(1);
    expect(await collect(tfxio.rows())).toHaveLength(400);
  });

  test("does not prevent a read from resuming in the middle of a batch that the library divided", async () => {
    const tfxio = await open({ batchBytes: 1000, filter: "id < 100 or id >= 110" }, rows);
    const plan = await tfxio.plan();
    const [split] = plan.splits;
    const expected = rows.map(({ id }) => id).filter((id) => id < 100 || id >= 110);
    let numSeen = 0;
    let position: Position | undefined;
    const idsAfter = async (from: typeof position): Promise<number[]> => {
      const ids: number[] = [];
      for await (const batch of plan.read(split!, { from }))
        for (let row = 0; row < batch.numRows; row++)
          ids.push(Number(batch.getChild("id")?.get(row)?.get(0)));
      return ids;
    };
    const reading = plan.read(split!, { onProgress: (progress) => (position = progress.position) });
    for await (const batch of reading) {
      numSeen += batch.numRows;
      expect(await idsAfter(position)).toEqual(expected.slice(numSeen));
    }
    expect(numSeen).toBe(390);
  });
});
