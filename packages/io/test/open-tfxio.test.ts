import { describe, expect, test } from "@jest/globals";
import { encodeExample } from "@tfxio/arrow-encoding";
import { ColumnPath, parseSchemaText } from "@tfxio/schema";
import { bytesSource, memoryTarget } from "@tfxio/wire";
import {
  Field,
  Int32,
  makeData,
  Null,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
  tableFromArrays,
} from "apache-arrow";
import { openTfxio, type TfxioInput, type TfxioOptions, writeTfxio } from "../src/index.js";
import { collect, examples, idsOf, range, SCHEMA, tfRecordFile, threeFiles } from "./fixtures.js";

const file = (): Uint8Array => tfRecordFile(examples(0, 10));

describe("a TFXIO with a schema", () => {
  test("has the columns, representations and type specs of the schema", async () => {
    const tfxio = await openTfxio(file(), { schema: SCHEMA });
    expect(tfxio.schema()).toBe(SCHEMA);
    expect(tfxio.arrowSchema().fields.map(String)).toEqual([
      "id: List<Int64>",
      "x: List<Float32>",
      "tags: List<Binary>",
      "y: List<Int64>",
    ]);
    expect([...tfxio.tensorRepresentations()].map(([name, { kind }]) => [name, kind.case])).toEqual([
      ["id", "denseTensor"],
      ["x", "denseTensor"],
      ["tags", "varlenSparseTensor"],
      ["y", "denseTensor"],
    ]);
    expect(
      [...tfxio.tensorAdapter().typeSpecs()].map(([name, spec]) => [name, spec.kind, spec.dtype, spec.shape]),
    ).toEqual([
      ["id", "tensor", "int64", [null]],
      ["x", "tensor", "float32", [null, 2]],
      ["tags", "sparse", "string", [null, null]],
      ["y", "tensor", "int64", [null, 1]],
    ]);
  });

  test("has batches with exactly the announced Arrow schema", async () => {
    const tfxio = await openTfxio(threeFiles(), { schema: SCHEMA, rawRecordColumn: "raw" });
    for await (const batch of tfxio.recordBatches({ batchSize: 4, shuffle: true })) {
      expect(batch.schema.fields.map(String)).toEqual(tfxio.arrowSchema().fields.map(String));
    }
    expect(tfxio.arrowSchema().names.at(-1)).toBe("raw");
  });

  test("reads only the requested columns, and keeps only the tensors that those columns can fill", async () => {
    const tfxio = await openTfxio(file(), { schema: SCHEMA, columns: ["y", ColumnPath.of("id")] });
    expect(tfxio.arrowSchema().names).toEqual(["id", "y"]);
    expect([...tfxio.tensorRepresentations().keys()]).toEqual(["id", "y"]);
    const [batch] = await collect(tfxio.recordBatches());
    expect(batch?.schema.names).toEqual(["id", "y"]);
  });

  test("uses a named representation group unchanged, and reports an unknown group", async () => {
    const schema = parseSchemaText(`
      feature { name: "id" type: INT }
      feature { name: "x" type: FLOAT }
      tensor_representation_group {
        key: "serving"
        value { tensor_representation { key: "ids" value { varlen_sparse_tensor { column_name: "id" } } } }
      }`);
    const tfxio = await openTfxio(file(), { schema, representationGroup: "serving" });
    expect([...tfxio.tensorRepresentations().keys()]).toEqual(["ids"]);
    const missing = await openTfxio(file(), { schema, representationGroup: "other" });
    expect(() => missing.tensorRepresentations()).toThrow(
      expect.objectContaining({ code: "schema-invalid", reason: "unknown-group" }),
    );
  });
});

describe("a TFXIO opened without a schema", () => {
  test("has batches that describe themselves, and rejects calls that need a schema", async () => {
    const tfxio = await openTfxio(file());
    const [batch] = await collect(tfxio.recordBatches());
    expect(batch?.schema.names).toEqual(["id", "tags", "x", "y"]);
    const needsSchema = [
      () => tfxio.schema(),
      () => tfxio.arrowSchema(),
      () => tfxio.tensorRepresentations(),
      () => tfxio.tensorAdapter(),
      () => tfxio.project(["id"]),
      () => tfxio.recordBatches({ shuffle: true }),
      () => tfxio.recordBatches({ batchSize: 2 }),
    ];
    for (const call of needsSchema)
      expect(call).toThrow(expect.objectContaining({ code: "schema-required" }));
  });

  test("reads only the requested columns", async () => {
    const tfxio = await openTfxio(file(), { columns: ["x"] });
    const [batch] = await collect(tfxio.recordBatches());
    expect(batch?.schema.names).toEqual(["x"]);
    expect(batch?.numRows).toBe(10);
  });

  test.each(["csv", "parquet", "arrow", "avro"])(
    "rejects columns that its only file does not declare, if the format is %s",
    async (format) => {
      const target = memoryTarget(`people.${format}`);
      await writeTfxio(tableFromArrays({ age: Int32Array.of(30, 40) }).batches, target);
      const people = new File([target.bytes()], `people.${format}`);
      const inputs: (() => TfxioInput)[] = [() => people];
      // A Parquet file cannot be read as a stream.
      if (format !== "parquet") inputs.push(() => people.stream());
      for (const input of inputs) {
        const rowsOf = async (options: TfxioOptions): Promise<unknown> =>
          collect((await openTfxio(input(), { format, ...options })).rows());
        expect(await rowsOf({ filter: "age > 30", columns: ["age"] })).toEqual([{ age: [40] }]);
        const rejected = { code: "schema-mismatch", reason: "unknown-column", columnPath: "agee" };
        await expect(rowsOf({ filter: "agee > 30" })).rejects.toMatchObject(rejected);
        await expect(rowsOf({ columns: ["agee"] })).rejects.toMatchObject(rejected);
      }
    },
  );

  test("can infer a schema from a full pass, and rejects rows that contradict a schema inferred from other rows", async () => {
    const tfxio = await openTfxio(threeFiles(), { inferSchema: "full" });
    expect(tfxio.arrowSchema().names).toEqual(["id", "tags", "x", "y"]);
    expect((await collect(tfxio.recordBatches({ batchSize: 30 }))).flatMap(idsOf)).toEqual(range(0, 30));
    const spec = tfxio.tensorAdapter().typeSpecs().get("x");
    expect(spec?.shape).toEqual([null, 2]);

    const drifting = [tfRecordFile([new Uint8Array(0)]), file()];
    const first = await openTfxio(drifting, { inferSchema: "first" });
    await expect(collect(first.recordBatches())).rejects.toMatchObject({ code: "schema-mismatch" });
  });
});

describe("project", () => {
  test("decodes only the columns that the tensors need, and keeps the original type specs", async () => {
    const tfxio = await openTfxio(file(), { schema: SCHEMA });
    const projected = tfxio.project(["y", "x"]);
    expect(projected.arrowSchema().names).toEqual(["x", "y"]);
    const [batch] = await collect(projected.recordBatches());
    expect(batch?.schema.names).toEqual(["x", "y"]);
    const again = projected.project(["x"]);
    expect([...again.tensorRepresentations().keys()]).toEqual(["x"]);
    expect([...(again.tensorAdapterConfig().originalTypeSpecs?.keys() ?? [])]).toEqual([
      "id",
      "x",
      "tags",
      "y",
    ]);
    expect(again.tensorAdapter().typeSpecs().size).toBe(1);
  });

  test("rejects an unknown tensor, and names the known tensors", async () => {
    const tfxio = await openTfxio(file(), { schema: SCHEMA });
    expect(() => tfxio.project(["z"])).toThrow(
      expect.objectContaining({
        code: "invalid-argument",
        message: expect.stringContaining("id, x, tags, y"),
      }),
    );
  });
});

describe("inferSchema", () => {
  test("applies the inferred schema to batches, projections and raw records", async () => {
    const later = encodeExample({ id: { kind: "int64", values: [1] }, late: { kind: "int64", values: [1] } });
    const tfxio = await openTfxio(tfRecordFile([...examples(0, 2), later]), { inferSchema: { rows: 2 } });
    for (const read of [tfxio.recordBatches(), tfxio.project(["id"]).recordBatches(), tfxio.rawRecords()]) {
      await expect(collect(read)).rejects.toMatchObject({ reason: "unlisted-feature", columnPath: "late" });
    }
  });
});

describe("a column inferred from nulls alone", () => {
  const fields = [new Field("id", new Int32(), true), new Field("none", new Null(), true)];
  const data = makeData({
    type: new Struct(fields),
    length: 2,
    nullCount: 0,
    children: [
      makeData({ type: new Int32(), data: Int32Array.of(1, 2) }),
      makeData({ type: new Null(), length: 2 }),
    ],
  });
  const batch = new RecordBatch(new ArrowSchema(fields), data);

  test.each(["x.arrow", "x.arrows", "x.parquet", "x.avro", "x.csv", "x.jsonl", "x.json"])(
    "is left out of the schema of %s, and does not prevent reading",
    async (name) => {
      const target = memoryTarget(name);
      await writeTfxio([batch], target);
      for (const inferSchema of ["first", "full"] as const) {
        const tfxio = await openTfxio(bytesSource(target.bytes(), name), { inferSchema });
        expect(await collect(tfxio.rows())).toEqual([{ id: [1] }, { id: [2] }]);
      }
    },
  );

  test("causes an error if it has a value in a later row", async () => {
    const lines = new File(['{"id":1,"none":null}\n{"id":2,"none":7}\n'], "x.jsonl");
    const tfxio = await openTfxio(lines, { inferSchema: { rows: 1 } });
    await expect(collect(tfxio.rows())).rejects.toMatchObject({
      reason: "unlisted-feature",
      columnPath: "none",
    });
  });
});

describe("openTfxio", () => {
  test('rejects unlisted: "drop" with inferSchema, but accepts unlisted: "error"', async () => {
    const options = { inferSchema: "full", unlisted: "drop" } as const;
    await expect(openTfxio(file(), options)).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "unlisted",
    });
    await expect(openTfxio(file(), { ...options, unlisted: "error" })).resolves.toBeDefined();
  });

  test.each([
    ["null for options", null, "options"],
    ["text for a schema", { schema: 'feature { name: "id" }' }, "schema"],
    ["an object that is not a schema", { schema: {} }, "schema"],
    ["null for a format", { format: null }, "format"],
    ["an object that is not a format", { format: {} }, "format"],
    ["an object that is not a registry", { formats: {} }, "formats"],
    ["text for columns", { columns: "id" }, "columns"],
    ["null for format options", { formatOptions: null }, "formatOptions"],
    ["a number for a signal", { signal: 5 }, "signal"],
    ["an object for an adapter", { adapter: {} }, "adapter"],
  ])("rejects %s, and the error names the argument", async (_title, options, argument) => {
    const opening = openTfxio(file(), options as TfxioOptions);
    await expect(opening).rejects.toMatchObject({ code: "invalid-argument", argument });
  });

  test("returns a TFXIO whose project method rejects tensor names that are not a list of strings", async () => {
    const tfxio = await openTfxio(file(), { schema: SCHEMA });
    for (const names of ["id", undefined, [5]]) {
      expect(() => tfxio.project(names as never)).toThrow(
        expect.objectContaining({ code: "invalid-argument", argument: "tensorNames" }),
      );
    }
  });

  test.each([
    ["a path that does not exist", "no/such/file.tfrecord", {}, "not-found"],
    ["a file in an unknown format", new Uint8Array([1, 2, 3]), {}, "unknown-format"],
    ["an unknown format id", new Uint8Array(0), { format: "csvv" }, "unknown-format"],
    ["an unknown option", new Uint8Array(0), { shcema: 1 }, "invalid-argument"],
    [
      "an unknown format option",
      new Uint8Array(0),
      { format: "tfrecord", formatOptions: { crc: 1 } },
      "invalid-argument",
    ],
    [
      "a schema together with inferSchema",
      new Uint8Array(0),
      { format: "tfrecord", schema: SCHEMA, inferSchema: "full" as const },
      "invalid-argument",
    ],
    ["a column that the schema lacks", file(), { schema: SCHEMA, columns: ["nope"] }, "schema-mismatch"],
  ])("rejects %s", async (_title, source, options, code) => {
    await expect(openTfxio(source, options as TfxioOptions)).rejects.toMatchObject({ code });
  });
});

test.each(["first", "full", { rows: 10 }] as const)(
  "inferSchema %j skips files without rows, and is rejected if no file has rows",
  async (inferSchema) => {
    const empty = new Uint8Array(0);
    const options = { format: "tfrecord", inferSchema } as const;
    await expect(openTfxio([empty, empty, empty, empty], options)).rejects.toMatchObject({
      code: "schema-required",
      reason: "no-rows",
      message: expect.stringContaining("no rows were found in bytes:0, bytes:1, bytes:2 and 1 more"),
    });
    const rows = await openTfxio([empty, ...threeFiles()], { ...options, format: "tfrecord" });
    expect(rows.schema().feature).toHaveLength(4);
  },
);
