import { describe, expect, test } from "@jest/globals";
import type { BatchWriter, Split } from "@tfxio/format";
import { formatChecks, type FixtureRow } from "@tfxio/format/testkit";
import { ColumnPath, parsePredicate, parseSchemaText } from "@tfxio/schema";
import { type ByteSource, bytesSource, memoryTarget } from "@tfxio/wire";
import {
  Bool,
  type DataType,
  Field,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { toyColumnar } from "./toy-columnar.js";

const arrowSchema = new ArrowSchema([
  new Field("day", new Int32(), true),
  new Field("id", new Int64(), true),
  new Field("score", new Float64(), true),
  new Field("word", new Utf8(), true),
  new Field("good", new Bool(), true),
]);
const rows: readonly FixtureRow[] = [
  { day: 1, id: 2n ** 60n, score: 0.5, word: "ab", good: true },
  { day: 2, id: -1n, score: null, word: "", good: false },
  { day: null, id: 5n, score: -0.25, word: null, good: null },
  {},
  { day: 7, id: 6n, score: 1e300, word: "ä€😀", good: true },
];

/** Writes the rows to a file, in row groups of `groupRows` rows. */
async function fileOf(some: readonly FixtureRow[], groupRows: number): Promise<Uint8Array> {
  const target = memoryTarget("some.tcol");
  const writer: BatchWriter = await toyColumnar.createWriter(target, { arrowSchema, options: { groupRows } });
  const children = arrowSchema.fields.map(
    ({ name, type }) =>
      vectorFromArray(some.map((row) => row[name] ?? null) as never[], type as DataType).data[0]!,
  );
  const type = new Struct(arrowSchema.fields);
  const data = makeData({ type, length: some.length, nullCount: 0, children });
  if (some.length > 0) await writer.write(new RecordBatch(arrowSchema, data));
  await writer.finish();
  await target.commit();
  return target.bytes();
}

const grouped = await fileOf(rows, 2);
const whole = await fileOf(rows, 100);
const schema = parseSchemaText(
  ["word BYTES", "id INT", "score FLOAT", "day INT", "good INT", "absent BYTES"]
    .map((line) => line.split(" "))
    .map(([name, type]) => `feature { name: "${name}" type: ${type} }`)
    .join("\n"),
);

test.each(
  formatChecks(toyColumnar, {
    fixtures: [
      { name: "three row groups", sources: [grouped], rows, writeOptions: { groupRows: 2 } },
      { name: "two files", sources: [whole, grouped], rows: [...rows, ...rows] },
      { name: "three row groups, with a schema", sources: [grouped], rows, schema },
      { name: "no rows", sources: [await fileOf([], 2)], rows: [] },
      {
        name: "a file cut short",
        sources: [whole.subarray(0, whole.length - 3)],
        error: { code: "truncated-record", reason: "footer" },
      },
      {
        name: "a chunk that is not JSON",
        sources: [whole.map((byte, at) => (at === 4 ? 0x7b : byte))],
        error: { code: "corrupt-record", reason: "chunk" },
      },
    ],
  }),
)("$name", async ({ run }) => {
  expect(await run()).toBeUndefined();
});

/** Returns a source that records the calls of `tail` and `slices`, and fails on any other read. */
function watched(bytes: Uint8Array): ByteSource & { readonly calls: string[] } {
  const source = bytesSource(bytes, "some.tcol");
  const calls: string[] = [];
  return {
    uri: source.uri,
    calls,
    async tail(numBytes) {
      calls.push(`tail ${numBytes}`);
      return bytes.slice(Math.max(0, bytes.length - numBytes));
    },
    async slices(ranges) {
      calls.push(`slices of ${ranges.length}`);
      return ranges.map(({ start, end }) => bytes.slice(start, end));
    },
    slice: () =>
      Promise.reject(new TypeError("slice must not be called on a source that has the method slices")),
    stream: () => {
      throw new TypeError("stream must not be called");
    },
  };
}

describe("a plan for columnar files", () => {
  test("is made without reading any file if there is no schema", async () => {
    const source = watched(grouped);
    const plan = await (await toyColumnar.open([source])).plan();
    expect(plan.splits).toEqual([{ index: 0, uri: "some.tcol", numBytes: undefined }]);
    expect(source.calls).toEqual([]);
  });

  test("reads only the chunks of the requested columns", async () => {
    const source = watched(grouped);
    const plan = await (await toyColumnar.open([source])).plan({ columns: [ColumnPath.of("word")] });
    for await (const batch of plan.read(plan.splits[0]!)) expect(batch.schema.names).toEqual(["word"]);
    expect(source.calls.slice(2)).toEqual(["slices of 1", "slices of 1", "slices of 1"]);
  });

  test.each<[string, readonly number[]]>([
    ["day >= 2", [0, 2]],
    ["day > 7", []],
    ["id == 5", [0, 1]],
    ["id < 0", [0]],
    ["score is null", [0, 1]],
    ['word == "ab"', [0]],
    ['word > "z"', [2]],
    ["good == false", [0]],
    ["day in (1, 7)", [0, 2]],
    ["day == 1 or day == 7", [0, 2]],
    ["day == 1 and score > 0.5", []],
    ["not day == 1", [0, 1, 2]],
  ])("subdivides a split into the row groups that may match the filter `%s`", async (text, expected) => {
    const reader = await toyColumnar.open([bytesSource(grouped)]);
    const plan = await reader.plan({ filter: parsePredicate(text) });
    const parts: readonly Split[] = await plan.subdivide!(plan.splits[0]!);
    expect(parts.map(({ detail }) => detail)).toEqual(expected);
    expect(parts.map(({ numRows }) => numRows)).toEqual(expected.map((group) => (group === 2 ? 1 : 2)));
  });
});
