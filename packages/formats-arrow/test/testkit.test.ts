import { expect, test } from "@jest/globals";
import { type FixtureRow, formatChecks } from "@tfxio/format/testkit";
import { parseSchemaText } from "@tfxio/schema";
import { arrow } from "../src/index.js";
import { written } from "./written.js";

const rows: readonly FixtureRow[] = [
  { id: 2n ** 60n, score: 0.5, word: "ab", good: true, kind: "x", parts: [1, 2], point: { x: 1, y: null } },
  { id: -1n, score: null, word: "", good: false, kind: "y", parts: [], point: { x: null, y: 2.5 } },
  { id: 5n, score: -0.25, word: null, good: null, kind: "x", parts: null, point: null },
  {},
  { id: 6n, score: 1e300, word: "ä€😀", good: true, kind: null, parts: [null, 3], point: { x: 7, y: 8 } },
];
const schema = parseSchemaText(
  ["word BYTES", "id INT", "score FLOAT", "good INT", "kind BYTES", "parts INT", "absent BYTES"]
    .map((line) => line.split(" "))
    .map(([name, type]) => `feature { name: "${name}" type: ${type} }`)
    .join("\n"),
);
const file = await written(rows, { batchRows: 2 });
const stream = await written(rows, { batchRows: 2, options: { container: "stream" } });
const joined = await written(rows, { batchRows: 10 });
const none = await written([], { batchRows: 1 });
const listed = rows.map((row) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== "point")),
);

const fixtures = [
  { name: "a file", sources: [file], rows },
  { name: "two files", sources: [file, joined], rows: [...rows, ...rows] },
  { name: "a stream", sources: [stream], rows, writeOptions: { container: "stream" as const } },
  { name: "lz4", sources: [file], rows, writeOptions: { compression: "lz4" as const } },
  { name: "zstd", sources: [file], rows, writeOptions: { compression: "zstd" as const } },
  { name: "a file with a schema", sources: [file], schema, rows: listed },
  { name: "a stream with a schema", sources: [stream], schema, rows: listed },
  { name: "no rows", sources: [none], rows: [] },
  {
    name: "a file cut short",
    sources: [file.slice(0, -1)],
    error: { code: "truncated-record" as const, reason: "footer" },
  },
  {
    name: "text",
    sources: [new TextEncoder().encode("hello, world")],
    error: { code: "corrupt-record" as const, reason: "message" },
  },
];

test.each(formatChecks(arrow, { fixtures }))("$name", async ({ run }) => {
  expect(await run()).toBeUndefined();
});
