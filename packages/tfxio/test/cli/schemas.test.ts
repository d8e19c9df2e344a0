import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { openTfxio } from "tfxio";
import { decodeSchema, parseSchemaText, schemaFromJson } from "tfxio/schema";
import { output, tfxio } from "./command.js";
import { PEOPLE_FILES, peopleFolder, readingArguments } from "./people.js";

let folder: string;
const at = (name: string): string => path.join(folder, name);
beforeAll(async () => {
  folder = await peopleFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The type of each column, which does not depend on the number of values per row. */
const TYPES = { name: "BYTES", age: "INT", city: "BYTES", score: "FLOAT" };
const typesOf = (json: string): Record<string, string> =>
  Object.fromEntries(
    (JSON.parse(json) as { feature: { name: string; type: string }[] }).feature.map(({ name, type }) => [
      name,
      type,
    ]),
  );

describe("tfxio schema", () => {
  test.each(PEOPLE_FILES)("infers a schema from %s", async (file) => {
    expect(typesOf(await output(["schema", "--json", ...readingArguments(folder, file)]))).toEqual(TYPES);
  });

  test.each(["people.parquet", "people.arrow", "people.avro"])(
    "--from-arrow describes the columns of %s",
    async (file) => {
      expect(typesOf(await output(["schema", "--json", "--from-arrow", at(file)]))).toEqual(TYPES);
    },
  );

  test("--from-arrow requires files that declare their columns", async () => {
    const { code, stderr } = await tfxio(["schema", "--from-arrow", at("people.tfrecord")]);
    expect(code).toBe(2);
    expect(stderr).toContain("--from-arrow requires files that declare their columns");
  });

  test("writes a schema as text, JSON and binary, which read back as equal schemas", async () => {
    const write = (form: string) => tfxio(["schema", "--as", form, at("people.csv")]);
    const text = parseSchemaText((await write("pbtxt")).stdout);
    expect(schemaFromJson(JSON.parse((await write("json")).stdout))).toEqual(text);
    expect(decodeSchema((await write("binary")).stdoutBytes)).toEqual(text);
    expect(await output(["schema", at("people.csv")])).toBe((await write("pbtxt")).stdout);
  });

  test("prints a schema as a table on terminals", async () => {
    expect(await output(["schema", at("people.csv")], { columns: 80 })).toBe(
      readFileSync(path.join(import.meta.dirname, "golden", "schema-80.txt"), "utf8"),
    );
  });

  test("prints percentages without rounding errors", async () => {
    writeFileSync(at("rare.pbtxt"), 'feature { name: "rare" type: INT presence { min_fraction: 0.07 } }');
    expect(await output(["schema", "--as", "table", at("rare.pbtxt")])).toMatch(/^rare .* 7 % of rows$/m);
  });

  test("shows the schema of a schema file", async () => {
    expect(typesOf(await output(["schema", "--json", at("schema.pbtxt")]))).toEqual(TYPES);
  });

  test("--compare lists differences, and ends with exit code 1 if the schemas differ", async () => {
    expect(await tfxio(["schema", at("schema.pbtxt"), "--compare", at("schema.pbtxt")])).toMatchObject({
      code: 0,
      stdout: "The schemas are equal.\n",
    });
    writeFileSync(
      at("other.pbtxt"),
      'feature { name: "name" type: INT } feature { name: "extra" type: INT }',
    );
    const compared = await tfxio(["schema", "--json", at("schema.pbtxt"), "--compare", at("other.pbtxt")]);
    expect(compared.code).toBe(1);
    const differences = compared.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { name: string; field?: string });
    expect(differences.map(({ name, field }) => [name, field])).toEqual(
      expect.arrayContaining([
        ["name", "type"],
        ["extra", undefined],
        ["age", undefined],
      ]),
    );
    const table = await tfxio(["schema", at("schema.pbtxt"), "--compare", at("other.pbtxt")]);
    expect(table.stdout).toMatch(/feature +name +type +INT +BYTES/);
    expect(table.stdout).toMatch(/feature +age +\(absent\) +present/);
  });
});

describe("explain", () => {
  test.each(PEOPLE_FILES)("shows which tensor each feature of %s becomes, and why", async (file) => {
    const text = await output(["explain", ...readingArguments(folder, file)]);
    for (const [name, dtype] of [
      ["name", "string"],
      ["age", "int64"],
      ["city", "string"],
      ["score", "float32|float64"],
    ])
      expect(text).toMatch(new RegExp(`^${name} +(?:dense|sparse) (?:${dtype}) .* {2}\\S`, "m"));
  });

  test("states the remedy for a feature without a tensor", async () => {
    const schema =
      'feature { name: "age" type: INT lifecycle_stage: DEPRECATED } feature { name: "name" type: BYTES }';
    writeFileSync(at("partial.pbtxt"), schema);
    const text = await output(["explain", "--schema", at("partial.pbtxt"), at("people.tfrecord")]);
    expect(text).toMatch(/^age +(?:left out|error) /m);
    expect(text).toContain("→");
  });

  test("lists exactly the tensors that a read makes, with and without a group", async () => {
    const text = `${readFileSync(at("schema.pbtxt"), "utf8")}
      tensor_representation_group { key: "g" value { tensor_representation { key: "years" value {
        varlen_sparse_tensor { column_name: "age" } } } } }`;
    writeFileSync(at("grouped.pbtxt"), text);
    const argv = ["explain", "--json", "--schema", at("grouped.pbtxt"), at("people.csv")];
    for (const group of ["g", undefined]) {
      const explained = await output([...argv, ...(group === undefined ? [] : ["--group", group])]);
      const { tensors } = JSON.parse(explained) as { tensors: { tensorName: string }[] };
      const read = await openTfxio(at("people.csv"), {
        schema: parseSchemaText(text),
        representationGroup: group,
      });
      const names = tensors.map(({ tensorName }) => tensorName);
      expect(names).toEqual([...read.tensorAdapter().typeSpecs().keys()]);
      expect(names).toHaveLength(group === undefined ? 4 : 1);
    }
  });

  test("rejects a group that the schema lacks", async () => {
    const { code, stdout, stderr } = await tfxio([
      "explain",
      "--schema",
      at("schema.pbtxt"),
      at("people.csv"),
      "--group",
      "foo",
    ]);
    expect(stderr).toContain("docs/errors.md#unknown-group");
    expect([code, stdout]).toEqual([5, ""]);
  });

  test("prints one JSON object with --json", async () => {
    const { tensors } = JSON.parse(await output(["explain", "--json", at("people.tfrecord")])) as {
      tensors: object[];
    };
    expect(tensors).toContainEqual(
      expect.objectContaining({
        tensorName: "age",
        sourceColumns: ["age"],
        problems: [],
        why: expect.any(String),
      }),
    );
  });
});

describe("tfxio tensors", () => {
  test.each(PEOPLE_FILES)("shows the spec and the first values of tensors of %s", async (file) => {
    const schema = [
      "--schema",
      at("schema.pbtxt"),
      ...(file === "people.jsonl" ? ["--float64", "float32-lossy"] : []),
    ];
    const lines = (
      await output(["tensors", "-n", "3", "--json", ...schema, ...readingArguments(folder, file)])
    )
      .trim()
      .split("\n");
    const tensors = Object.fromEntries(
      lines.map((line) => [(JSON.parse(line) as { name: string }).name, JSON.parse(line)]),
    );
    expect(tensors["age"]).toMatchObject({
      kind: "sparse",
      dtype: "int64",
      values: { indices: [0, 0, 2, 0], values: [36, 85] },
    });
    expect(tensors["name"]).toMatchObject({
      kind: "tensor",
      shape: [null, 1],
      values: { shape: [3, 1], values: ["Ada", "Alan", "Grace"] },
    });
  });

  test("prints a table that shows the positions of the values of a sparse tensor", async () => {
    const text = await output(["tensors", "--schema", at("schema.pbtxt"), at("people.tfrecord")]);
    expect(text).toContain("first 3 rows\n");
    expect(text).toMatch(/^age +SparseTensorSpec.* \[36, 85\] at \[\[0, 0\], \[2, 0\]\]$/m);
    expect(text).toMatch(/^name +TensorSpec\(shape=\[\?, 1\], dtype=string\) +\["Ada", "Alan", "Grace"\]$/m);
  });

  test("counts the rows that the file has, not the rows requested", async () => {
    const text = await output(["tensors", "-n", "32", "--schema", at("schema.pbtxt"), at("people.tfrecord")]);
    // The file has five people.
    expect(text).toContain("first 5 rows\n");
  });
});
