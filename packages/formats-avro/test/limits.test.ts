import { expect, test } from "@jest/globals";
import { avro } from "@tfxio/formats-avro";
import type { Limits } from "@tfxio/format";
import { bytesSource } from "@tfxio/wire";
import { parseAvroSchema } from "../src/schema/parse-schema.js";
import { avscFile } from "./avsc-file.js";
import { fileOf } from "./file-of.js";

async function readAll(bytes: Uint8Array, limits: Partial<Limits> = {}): Promise<number> {
  const reader = await avro.open([bytesSource(bytes, "bad.avro")], { limits });
  const plan = await reader.plan();
  let numRows = 0;
  for (const split of plan.splits) for await (const batch of plan.read(split)) numRows += batch.numRows;
  return numRows;
}

const recordOf = (type: unknown) => ({ type: "record", name: "R", fields: [{ name: "c", type }] });
const huge = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];

test.each<[string, Uint8Array, object]>([
  [
    "a string longer than its block",
    fileOf(recordOf("string"), huge),
    { code: "malformed-payload", reason: "truncated" },
  ],
  [
    "an array with more items than bytes",
    fileOf(recordOf({ type: "array", items: "long" }), huge),
    { code: "malformed-payload", reason: "truncated" },
  ],
  [
    "an array of too many nulls",
    fileOf(recordOf({ type: "array", items: "null" }), huge),
    { code: "limit-exceeded", reason: "empty-values" },
  ],
  [
    "too many rows without bytes",
    fileOf(recordOf("null"), [], 2 ** 40),
    { code: "limit-exceeded", reason: "block-rows" },
  ],
  [
    "more rows than bytes",
    fileOf(recordOf("int"), [2, 2], 3),
    { code: "malformed-payload", reason: "truncated" },
  ],
  [
    "bytes after the last row",
    fileOf(recordOf("int"), [2, 2], 1),
    {
      code: "malformed-payload",
      reason: "left-over",
      message: expect.stringMatching(/: the block at byte \d+ has 1 byte left over after its last record\.$/),
    },
  ],
  ["a negative length", fileOf(recordOf("bytes"), [1]), { code: "malformed-payload", reason: "avro-value" }],
  [
    "an integer of more than ten bytes",
    fileOf(
      recordOf("long"),
      Array.from({ length: 11 }, () => 255),
    ),
    { code: "malformed-payload", reason: "varint" },
  ],
  [
    "an int of more than 32 bits",
    fileOf(recordOf("int"), [254, 255, 255, 255, 255, 127]),
    { code: "malformed-payload", reason: "varint" },
  ],
  [
    "a boolean stored as 2",
    fileOf(recordOf("boolean"), [2]),
    { code: "malformed-payload", reason: "avro-value" },
  ],
  [
    "a branch that the union lacks",
    fileOf(recordOf(["null", "int"]), [4]),
    { code: "malformed-payload", reason: "avro-value" },
  ],
  [
    "a symbol that the enum lacks",
    fileOf(recordOf({ type: "enum", name: "E", symbols: ["A"] }), [2]),
    { code: "malformed-payload", reason: "avro-value" },
  ],
  [
    "a string that is not UTF-8",
    fileOf(recordOf("string"), [2, 0xff]),
    { code: "malformed-payload", reason: "utf8" },
  ],
  [
    "a type that contains itself",
    fileOf(recordOf(["null", "R"]), [0]),
    { code: "unsupported", reason: "recursive-type" },
  ],
  [
    "a fixed type of negative size",
    fileOf(recordOf({ type: "fixed", name: "F", size: -1 }), [0]),
    {
      reason: "avro-schema",
      message: expect.stringMatching(
        /must have an integer .+ as the size of the fixed type "F", found -1\.$/,
      ),
    },
  ],
  [
    "symbols that are not strings",
    fileOf(recordOf({ type: "enum", name: "E", symbols: 1 }), [0]),
    {
      reason: "avro-schema",
      message: expect.stringMatching(/a list of strings as the symbols of the enum "E", found 1\.$/),
    },
  ],
  [
    "a record without a list of fields",
    fileOf(recordOf({ type: "record", name: "S" }), [0]),
    {
      reason: "avro-schema",
      message: expect.stringMatching(/must have a list of fields for the record "S", found undefined\.$/),
    },
  ],
  [
    "two fields of the same name",
    fileOf(
      recordOf({
        type: "record",
        name: "S",
        fields: [
          { name: "a", type: "int" },
          { name: "a", type: "int" },
        ],
      }),
      [0],
    ),
    {
      reason: "avro-schema",
      message: expect.stringMatching(
        /must have distinct names for the fields of the record "S", found "a"\.$/,
      ),
    },
  ],
  [
    "an unknown type",
    fileOf(recordOf("no-such-type"), [0]),
    { code: "schema-invalid", reason: "avro-schema" },
  ],
  ["a schema of 2^41 columns", fileOf(doubled(40), [0]), { code: "unsupported", reason: "schema-size" }],
])("the Avro reader rejects %s", async (_, bytes, expected) => {
  await expect(readAll(bytes)).rejects.toMatchObject(expected);
});

/** Returns a record type whose fields are records, each of which refers to the previous one by name. */
const chained = (levels: number): object => {
  const records = Array.from({ length: levels }, (_, level) => ({
    type: "record",
    name: `R${level}`,
    fields: [{ name: "c", type: level === 0 ? "int" : `R${level - 1}` }],
  }));
  return { type: "record", name: "All", fields: records.map((type, index) => ({ name: `c${index}`, type })) };
};

test("types nest at most 64 levels deep, even if they refer to each other by name", () => {
  // The outer record and the int are levels too.
  expect(() => parseAvroSchema(JSON.stringify(chained(62)), "x")).not.toThrow();
  for (const levels of [63, 300]) {
    const error = catchError(() => parseAvroSchema(JSON.stringify(chained(levels)), "x"));
    expect(error).toMatchObject({ code: "unsupported", reason: "schema-size" });
  }
});

test.each<[string, unknown]>([
  ["string", "string"],
  ["{ type: string }", { type: "string" }],
  ["string or null", ["null", "string"]],
  ["{ type: string } or { type: null }", [{ type: "null" }, { type: "string" }]],
])("a schema can have 100,000 columns of type %s, and no more", (_, type) => {
  const schemaOf = (numColumns: number): string => {
    const fields = Array.from({ length: numColumns }, (_item, index) => ({ name: `c${index}`, type }));
    return JSON.stringify({ type: "record", name: "R", fields });
  };
  expect(parseAvroSchema(schemaOf(100_000), "x")).toMatchObject({ kind: "record" });
  const error = catchError(() => parseAvroSchema(schemaOf(100_001), "x"));
  expect(error).toMatchObject({ code: "unsupported", reason: "schema-size" });
});

test("a union of several types counts as one column, plus one for each of its types except null", () => {
  const union = { type: ["null", "int", "string", "double"] };
  const fields = Array.from({ length: 25_000 }, (_, index) => ({ name: `c${index}`, ...union }));
  const schemaOf = (more: readonly object[]): string =>
    JSON.stringify({ type: "record", name: "R", fields: [...fields, ...more] });
  expect(() => parseAvroSchema(schemaOf([]), "x")).not.toThrow();
  expect(() => parseAvroSchema(schemaOf([{ name: "more", type: "int" }]), "x")).toThrow("100000 columns");
});

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

/** Returns a record type with two fields, each of a type with two fields, and so on. Named types keep the schema short. */
function doubled(levels: number): object {
  const type = levels === 0 ? "int" : doubled(levels - 1);
  return {
    type: "record",
    name: `R${levels}`,
    fields: [
      { name: "a", type },
      { name: "b", type: levels === 0 ? "int" : `R${levels - 1}` },
    ],
  };
}

test("an error names the file, record and byte offset of a bad value", async () => {
  await expect(readAll(fileOf(recordOf("boolean"), [1, 0, 7], 3))).rejects.toMatchObject({
    uri: "bad.avro",
    recordIndex: 2,
    byteOffset: expect.any(Number),
    message: expect.stringContaining("record 2 has a boolean stored as 7") as unknown,
  });
});

test("an error in a later split has no record index, because the rows before the split are not counted", async () => {
  const good = fileOf(recordOf("boolean"), [1, 0, 1], 3);
  const bad = fileOf(recordOf("boolean"), [1, 0, 7], 3);
  const blockBytes = 1 + 1 + 3 + 16;
  const bytes = Uint8Array.from([...good, ...bad.subarray(-blockBytes)]);
  const reader = await avro.open([bytesSource(bytes, "bad.avro")]);
  const plan = await reader.plan({ splitBytes: blockBytes });
  const errors: unknown[] = [];
  for (const split of plan.splits) {
    try {
      for await (const { numRows } of plan.read(split)) expect(numRows).toBe(3);
    } catch (error) {
      errors.push(error);
    }
  }
  expect(errors).toMatchObject([
    {
      recordIndex: undefined,
      byteOffset: good.length,
      message: expect.stringContaining(
        `bad.avro: a record has a boolean stored as 7, 3 bytes into the uncompressed data of the block at byte ${good.length}.`,
      ),
    },
  ]);
});

test("the Avro reader rejects a block or a header above its limit", async () => {
  const file = await avscFile(recordOf("string"), [{ c: "a".repeat(5000) }], { codec: "deflate" });
  expect(file.length).toBeLessThan(1000);
  await expect(readAll(file, { maxPageBytes: 4000 })).rejects.toMatchObject({
    code: "limit-exceeded",
    reason: "page-length",
  });
  await expect(readAll(file, { maxMetadataBytes: 40 })).rejects.toMatchObject({
    code: "limit-exceeded",
    reason: "metadata-length",
  });
});
