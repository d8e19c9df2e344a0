import { create, createRegistry, equals } from "@bufbuild/protobuf";
import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "@jest/globals";
import { isTfxioError } from "@tfxio/wire";
import { AnomaliesSchema } from "../src/anomalies.js";
import {
  createMessage,
  decodeMessage,
  decodeSchema,
  encodeMessage,
  encodeSchema,
  FeatureSchema,
  FeatureType,
  formatMessageText,
  formatSchemaText,
  parseMessageText,
  parseSchemaText,
  SchemaSchema,
  schemaFromJson,
  schemaToJson,
} from "../src/index.js";
import { DatasetFeatureStatisticsListSchema } from "../src/statistics.js";

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(" ", ""), "hex"));
const failure = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    if (!isTfxioError(error, "schema-invalid")) throw error;
    return { reason: error.reason, line: error.line, column: error.column, message: error.message };
  }
};

describe("binary format", () => {
  // feature { name: "a" type: INT }: field 1, length 5; name: field 1, length 1; type: field 6, varint 2.
  const bytes = hex("0a05 0a0161 3002");

  test("matches a protobuf encoding that was written by hand", () => {
    const schema = decodeSchema(bytes);
    expect(schema.feature.map(({ name, type }) => [name, type])).toEqual([["a", FeatureType.INT]]);
    expect(encodeSchema(schema)).toEqual(bytes);
    const created = createMessage(SchemaSchema, { feature: [{ name: "a", type: FeatureType.INT }] });
    expect(encodeSchema(created)).toEqual(bytes);
  });

  test("keeps unknown fields at every level", () => {
    // Field 1000 (varint 7) in the feature and in the schema.
    const unknown = hex("0a08 0a0161 c03e07 3002 c03e07");
    const again = decodeSchema(encodeSchema(decodeSchema(unknown)));
    expect(again.$unknown?.map(({ no }) => no)).toEqual([1000]);
    expect(again.feature[0]?.$unknown?.map(({ no }) => no)).toEqual([1000]);
    expect(encodeSchema(again)).toHaveLength(unknown.length);
  });

  test("keeps an unknown lifecycle stage", () => {
    const stage = hex("0a06 0a0161 b00163"); // lifecycle_stage: 99
    expect(encodeSchema(decodeSchema(stage))).toEqual(stage);
  });

  test("rejects bytes that are not a message", () => {
    expect(failure(() => decodeSchema(hex("0a")))).toMatchObject({
      reason: "binary-format",
      message: expect.stringContaining("Bytes of length 1 are not a tensorflow.metadata.v0.Schema: "),
    });
    expect(failure(() => decodeSchema(hex("0a05 0a01")))).toMatchObject({ reason: "binary-format" });
  });

  test("rejects values that a field cannot hold", () => {
    const feature = create(FeatureSchema, { name: "a" });
    feature.type = 1.5 as FeatureType;
    expect(failure(() => encodeMessage(FeatureSchema, feature))).toMatchObject({ reason: "message-value" });
  });
});

describe("JSON form", () => {
  const json = {
    feature: [
      {
        name: "a",
        type: "INT",
        intDomain: { min: "0", max: "9223372036854775807" },
        presence: { minFraction: 1 },
      },
    ],
  };

  test("reads and writes protobuf's JSON", () => {
    const schema = schemaFromJson(json);
    const text =
      'feature { name: "a" type: INT int_domain { min: 0 max: 9223372036854775807 } presence { min_fraction: 1 } }';
    expect(equals(SchemaSchema, schema, parseSchemaText(text))).toBe(true);
    expect(schemaToJson(schema)).toEqual(json);
  });

  test("rejects unknown fields", () => {
    expect(failure(() => schemaFromJson({ features: [] }))).toMatchObject({ reason: "json-format" });
  });
});

describe("text format", () => {
  test("reads comments, both kinds of quotes, lists, angle brackets and separators", () => {
    const schema = parseSchemaText(`# proto-file: schema.proto
      feature < name: 'it' "self"; type: 2, shape { dim { size: -1 } } >
      feature: [{ name: "b\\n\\303\\251" deprecated: true }, { presence: { min_fraction: 1e-3 } }]
      default_environment: ["A", "B"]`);
    expect(schema.feature.map(({ name }) => name)).toEqual(["itself", "b\né", ""]);
    expect(schema.defaultEnvironment).toEqual(["A", "B"]);
    expect(equals(SchemaSchema, parseSchemaText(formatSchemaText(schema)), schema)).toBe(true);
  });

  test.each([
    ["an unknown field", 'feature {\n  name: "a"\n  shpe { }\n}', 3, 3, 'unknown field "shpe"'],
    ["an unknown field of the schema", "featur { }", 1, 1, 'unknown field "featur"'],
    ["an unknown enum value", 'feature { name: "a" type: INTEGER }', 1, 27, "INTEGER"],
    ["a value of the wrong kind", "feature {\n\tname: 3 }", 2, 8, "expected a string"],
    ["a repeated singular field", 'feature { name: "a"\nname: "b" }', 2, 1, "repeated"],
    ["two members of a oneof", "feature { shape {}\n\n value_count {} }", 3, 2, "oneof"],
    ["a number out of range", "feature { int_domain { max: 9223372036854775808 } }", 1, 29, ""],
    [
      "an unclosed bracket",
      'feature {\n  name: "a"\n  shape {\n    dim { size: 1 }\n',
      3,
      9,
      "unexpected end",
    ],
    ["an unterminated string", 'feature {\n  name: "a\n}', 2, 9, ""],
    ["a surplus bracket", "feature { }\n}", 2, 1, ""],
    [
      "an unknown field after characters outside the BMP",
      'feature { name: "😀😀" nam: 1 }',
      1,
      22,
      'unknown field "nam"',
    ],
  ])("reports the position of %s", (_, text, line, column, message) => {
    expect(failure(() => parseSchemaText(text))).toMatchObject({
      reason: "text-format",
      line,
      column,
      message: expect.stringMatching(
        new RegExp(`^\\[schema-invalid\\] Line ${line}, column ${column}: .*${message}`, "su"),
      ),
    });
  });

  test("reports the position of an error at the end of a long file", () => {
    const features = Array.from({ length: 500 }, (_, i) => `feature { # ${i}\n  name: "f${i}" }\n`);
    expect(
      failure(() => parseSchemaText(`${features.join("")}feature { name: "x" typ: INT }`)),
    ).toMatchObject({
      line: 1001,
      column: 21,
    });
  });

  test.each([
    ["a string that is not closed", `feature { name: "${"a".repeat(1e7)}`, 1, 17],
    ["a line break in a string", `feature {\n name: '${"a".repeat(1e7)}\n' }`, 2, 8],
    ["a string of escapes that is not closed", `feature { name: "${"\\n".repeat(5e6)}\\`, 1, 17],
    ["a field after a long string", `feature { name: "${"a".repeat(1e7)}" typ: INT }`, 1, 1e7 + 20],
    ["a field after many blanks", `${" ".repeat(1e7)}typ: INT`, 1, 1e7 + 1],
    ["a field after many comments", `${"# x\n".repeat(1e6)}typ: INT`, 1e6 + 1, 1],
  ])("reports the position of %s, even in megabytes of text", (_, text, line, column) => {
    expect(failure(() => parseSchemaText(text))).toMatchObject({ reason: "text-format", line, column });
  });

  test("rejects deep nesting without a stack overflow", () => {
    const deep = `${"feature { struct_domain { ".repeat(10_000)}${"} }".repeat(10_000)}`;
    expect(failure(() => parseSchemaText(deep))).toMatchObject({ reason: "text-format" });
  });
});

describe("a value of the wrong type", () => {
  test.each([5, undefined, null, Uint8Array.of(10, 0)])("is rejected where text is expected: %p", (text) => {
    expect(() => parseSchemaText(text as never)).toThrow(
      expect.objectContaining({ code: "invalid-argument", argument: "text" }),
    );
  });

  test.each([5, undefined, null, "feature {}", [10, 0]])(
    "is rejected where bytes are expected: %p",
    (bytes) => {
      expect(() => decodeSchema(bytes as never)).toThrow(
        expect.objectContaining({ code: "invalid-argument", argument: "bytes" }),
      );
    },
  );
});

describe("google.protobuf.Any", () => {
  const expanded =
    'annotation { extra_metadata { [type.googleapis.com/tensorflow.metadata.v0.Path] { step: "a" } } }';

  test("is expanded for TFMD's own messages", () => {
    const schema = parseSchemaText(expanded);
    expect(schema.annotation?.extraMetadata[0]).toMatchObject({
      typeUrl: "type.googleapis.com/tensorflow.metadata.v0.Path",
      value: hex("0a0161"),
    });
    expect(formatSchemaText(schema)).toContain("[type.googleapis.com/tensorflow.metadata.v0.Path]");
    expect(equals(SchemaSchema, schemaFromJson(schemaToJson(schema)), schema)).toBe(true);
  });

  test("requires a registry for messages that TFMD does not define", () => {
    const text =
      'annotation { extra_metadata { [type.googleapis.com/google.protobuf.StringValue] { value: "v" } } }';
    expect(failure(() => parseSchemaText(text))).toMatchObject({
      reason: "text-format",
      message: expect.stringContaining("google.protobuf.StringValue"),
    });
    const registry = createRegistry(StringValueSchema);
    const schema = parseSchemaText(text, { registry });
    expect(formatSchemaText(schema, { registry })).toContain('value: "v"');
    expect(formatSchemaText(schema)).toContain("type_url:");
    expect(equals(SchemaSchema, parseSchemaText(formatSchemaText(schema)), schema)).toBe(true);
    expect(failure(() => schemaToJson(schema))).toMatchObject({ reason: "message-value" });
    expect(schemaToJson(schema, { registry })).toMatchObject({
      annotation: { extraMetadata: [{ value: "v" }] },
    });
  });

  test("survives the text format even if its bytes do not match its type", () => {
    const schema = parseSchemaText(
      'annotation { extra_metadata { type_url: "type.googleapis.com/tensorflow.metadata.v0.Path" value: "\\012\\377" } }',
    );
    expect(equals(SchemaSchema, parseSchemaText(formatSchemaText(schema)), schema)).toBe(true);
  });
});

describe("statistics and anomalies", () => {
  test.each([
    [
      DatasetFeatureStatisticsListSchema,
      'datasets { name: "all" num_examples: 3 features { path { step: "a" } type: STRING string_stats { unique: 2 } } }',
    ],
    [
      AnomaliesSchema,
      'anomaly_info { key: "a" value { severity: ERROR reason { type: SCHEMA_NEW_COLUMN } } } anomaly_name_format: SERIALIZED_PATH',
    ],
  ])("survive the text format and the binary format: %s", (descriptor, text) => {
    const message = parseMessageText(descriptor, text);
    const again = decodeMessage(descriptor, encodeMessage(descriptor, message));
    expect(equals(descriptor, again, message)).toBe(true);
    expect(
      equals(descriptor, parseMessageText(descriptor, formatMessageText(descriptor, again)), message),
    ).toBe(true);
  });
});
