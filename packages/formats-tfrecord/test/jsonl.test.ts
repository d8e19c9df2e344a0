import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createFormatRegistry } from "@tfxio/format";
import { formatChecks } from "@tfxio/format/testkit";
import { tfRecordFormats } from "@tfxio/formats-tfrecord";
import { parseSchemaText } from "@tfxio/schema";
import { bytesSource } from "@tfxio/wire";
import { jsonl } from "./jsonl.js";
import { writableJsonl } from "./jsonl-writer.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const plain = {
  name: "two files",
  sources: [bytes('{"x":[1,2.5],"y":"a"}\n{"x":[],"y":null}\n'), bytes('{"y":["b","ä"]}\n{"x":0.1}')],
  rows: [{ x: [1, 2.5], y: ["a"] }, { x: [] }, { y: ["b", "ä"] }, { x: [0.1] }],
};
const schema = parseSchemaText('feature { name: "y" type: BYTES } feature { name: "x" type: FLOAT }');

// A format of a container and a payload keeps the contract through what recordFormat adds.
const checks = formatChecks(writableJsonl, {
  fixtures: [
    plain,
    { ...plain, name: "two files, with a schema", schema },
    { name: "a line cut short", sources: [bytes('{"x":1}\n{"x":')], error: { code: "malformed-payload" } },
    {
      name: "blank lines between rows and at the end",
      sources: [bytes('{"x":1}\r\n\n  \n{"x":2}\n\n')],
      rows: [{ x: [1] }, { x: [2] }],
    },
    {
      name: "a character cut in two",
      sources: [bytes('{"x":1}\n{"y":"ä').slice(0, -1)],
      error: { code: "malformed-payload" },
    },
    { name: "a list for a row", sources: [bytes("[1]\n")], error: { code: "malformed-payload" } },
    { name: "a string for a row", sources: [bytes('"ab"\n')], error: { code: "malformed-payload" } },
    { name: "null for a row", sources: [bytes("null\n")], error: { code: "malformed-payload" } },
    {
      name: "bytes that are no UTF-8",
      sources: [Uint8Array.of(34, 255, 34)],
      error: { code: "malformed-payload" },
    },
    { name: "a nested object", sources: [bytes('{"x":{"y":1}}\n')], error: { code: "malformed-payload" } },
    {
      name: "text in a column of numbers",
      sources: [bytes('{"x":"one"}\n')],
      schema,
      error: { code: "schema-mismatch" },
    },
  ],
});

test.each(checks)("$name", async ({ run }) => {
  expect(await run()).toBeUndefined();
});

test.each(formatChecks(jsonl, { fixtures: [plain] }))("$name, for reading only", async ({ run }) => {
  expect(await run()).toBeUndefined();
});

test("a registry takes it beside our own", async () => {
  const formats = createFormatRegistry(...tfRecordFormats, jsonl);
  expect(await formats.detect(bytesSource(plain.sources[0]!, "rows.jsonl"))).toBe(jsonl);
});

test("the guide shows exactly this format, in less than 60 lines with blank ones, beside its imports", () => {
  const guide = readFileSync(
    path.resolve(import.meta.dirname, "../../../docs/guides/custom-format.md"),
    "utf8",
  );
  const read = (name: string): string => readFileSync(path.join(import.meta.dirname, name), "utf8");
  for (const name of ["jsonl.ts", "jsonl-writer.ts"]) expect(guide).toContain(read(name));
  const lines = read("jsonl.ts").trimEnd().split("\n");
  expect(lines.filter((line) => !line.startsWith("import ")).length).toBeLessThan(60);
});
