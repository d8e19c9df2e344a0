import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { plainRows, toListColumns } from "@tfxio/arrow-encoding";
import { bytes, defineSchema, float, int } from "@tfxio/schema";
import { bytesSource, memoryTarget } from "@tfxio/wire";
import {
  Field,
  Float32,
  Int64,
  List,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
  Utf8,
  makeData,
  vectorFromArray,
} from "apache-arrow";
import { csv, tsv } from "../src/index.js";
import { readCsv } from "./read-csv.js";

type Options = Partial<typeof csv.defaults>;

const listOf = <Value extends Int64 | Float32 | Utf8>(type: Value) => new List(new Field("item", type, true));

/** Returns a seeded generator of numbers below a limit: the minimal standard generator of Park and Miller. */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => (state = (state * 48_271) % 2_147_483_647) % limit;
}

const characters = [
  "\r",
  "\n",
  "\r\n",
  ",",
  ";",
  "\t",
  "|",
  '"',
  "'",
  "\\",
  "#",
  "N",
  "A",
  " ",
  "é",
  "\uFEFF",
  "7",
];

/** Returns rows with an id, an integer, a float, a text and a list of one to three texts. All except the id may be null. */
function randomBatch(seed: number, numRows: number): RecordBatch {
  const below = seeded(seed);
  const orNull = <Value>(value: () => Value): Value | null => (below(5) === 0 ? null : value());
  const text = (): string =>
    Array.from({ length: below(5) }, () => characters[below(characters.length)]).join("");
  const column = <Value>(value: () => Value): (Value | null)[] =>
    Array.from({ length: numRows }, () => orNull(value));
  const columns = {
    id: vectorFromArray(
      Array.from({ length: numRows }, (_, row) => [BigInt(row)]),
      listOf(new Int64()),
    ),
    int: vectorFromArray(
      column(() => [BigInt(below(2 ** 31)) ** 2n - 2n ** 61n]),
      listOf(new Int64()),
    ),
    float: vectorFromArray(
      column(() => [Math.fround((below(2 ** 31) - 2 ** 30) / 10 ** below(9))]),
      listOf(new Float32()),
    ),
    text: vectorFromArray(
      column(() => [text()]),
      listOf(new Utf8()),
    ),
    "texts, many": vectorFromArray(
      column(() => Array.from({ length: 1 + below(3) }, text)),
      listOf(new Utf8()),
    ),
  };
  const children = Object.values(columns).map((vector) => vector.data[0]!);
  const fields = Object.keys(columns).map((name, index) => new Field(name, children[index]!.type, true));
  const type = new Struct(fields);
  return toListColumns(
    new RecordBatch(new ArrowSchema(fields), makeData({ type, length: numRows, nullCount: 0, children })),
  );
}

const schema = defineSchema({
  features: { id: int(), int: int(), float: float(), text: bytes(), "texts, many": bytes() },
});

async function rewritten(
  format: typeof csv,
  batch: RecordBatch,
  {
    shared,
    write = {},
    read = {},
  }: { readonly shared: Options; readonly write?: Options; readonly read?: Options },
): Promise<unknown[]> {
  const target = memoryTarget("rows.csv");
  const { schema: arrowSchema } = batch;
  const writer = await format.createWriter(target, { arrowSchema, options: { ...shared, ...write } });
  await writer.write(batch.slice(0, 7));
  await writer.write(batch.slice(7));
  await writer.finish();
  await target.commit();
  const options = { ...shared, ...read, quotedNulls: false };
  const reader = await format.open([bytesSource(target.bytes(), "rows.csv")], { options });
  const plan = await reader.plan({ schema });
  const rows: unknown[] = [];
  for (const split of plan.splits) for await (const part of plan.read(split)) rows.push(...plainRows(part));
  await reader.close();
  return rows;
}

describe("written tables are read back unchanged", () => {
  const many: Options = { multivalentColumns: ["texts, many"], secondaryDelimiter: "|" };
  test.each<[string, Parameters<typeof rewritten>[2]]>([
    ["by default", { shared: {} }],
    ["with LF", { shared: {}, write: { lineEnd: "\n" } }],
    ["with a different delimiter and quote", { shared: { delimiter: ";", quote: "'" } }],
    ["with escapes instead of doubled quotes", { shared: { escape: "\\", doubledQuote: false } }],
    ["with escapes and doubled quotes", { shared: { escape: "\\" } }],
    ["with a comment character", { shared: { comment: "#" } }],
    ["with several null markers", { shared: { nullMarkers: ["NA", "", "7"] } }],
    [
      "without a header",
      {
        shared: {},
        write: { header: false },
        read: { columnNames: ["id", "int", "float", "text", "texts, many"] },
      },
    ],
    ["with gzip compression", { shared: { compression: "gzip" } }],
  ])("%s", async (_, options) => {
    const batch = randomBatch(12, 500);
    const shared = { ...many, ...options.shared };
    expect(await rewritten(csv, batch, { ...options, shared })).toEqual(plainRows(batch));
  });

  test("as TSV", async () => {
    const batch = randomBatch(13, 200);
    expect(await rewritten(tsv, batch, { shared: many })).toEqual(plainRows(batch));
  });
});

test("csv writes rows.csv.gz as gzip and reads it back; csv lists the extension .csv.gz, and tsv lists .tsv.gz", async () => {
  const batch = randomBatch(14, 20);
  const target = memoryTarget("rows.csv.gz");
  const options: Options = { multivalentColumns: ["texts, many"], secondaryDelimiter: "|" };
  const writer = await csv.createWriter(target, { arrowSchema: batch.schema, options });
  await writer.write(batch);
  await writer.finish();
  await target.commit();
  const lines = gunzipSync(target.bytes()).toString();
  expect(lines.startsWith('id,int,float,text,"texts, many"\r\n0,')).toBe(true);
  const read = await readCsv(target.bytes(), { options });
  expect(read).toHaveLength(batch.numRows);
  expect(csv.extensions).toContain(".csv.gz");
  expect(tsv.extensions).toContain(".tsv.gz");
});

describe("an option is rejected", () => {
  const arrowSchema = new ArrowSchema([new Field("x", new Int64(), true)]);

  test.each<[string, Options]>([
    ["skipLines", { skipLines: 1 }],
    ["columnNames", { columnNames: ["x"] }],
    ["onBadName", { onBadName: "number" }],
    ["types", { types: { x: "int" } }],
    ["infer", { infer: "full" }],
    ["quotedNulls", { quotedNulls: false }],
    ["onBadCell", { onBadCell: "null" }],
    ["onBadRow", { onBadRow: "skip" }],
  ])("if it has no effect on writing: %s", async (argument, options) => {
    await expect(csv.createWriter(memoryTarget("x.csv"), { arrowSchema, options })).rejects.toMatchObject({
      code: "invalid-argument",
      argument,
    });
  });

  test.each<[string, Options]>([
    ["header", { header: false }],
    ["lineEnd", { lineEnd: "\n" }],
    ["emptyListText", { emptyListText: "[]" }],
    ["base64Columns", { base64Columns: ["x"] }],
  ])("if it has no effect on reading: %s", async (argument, options) => {
    const source = bytesSource(new TextEncoder().encode("x\n1\n"), "x.csv");
    await expect(csv.open([source], { options })).rejects.toMatchObject({
      code: "invalid-argument",
      argument,
    });
  });

  test("with an error, which suggests `columnNames` only for the option `header`", async () => {
    const source = bytesSource(new TextEncoder().encode("1\n"), "x.csv");
    await expect(csv.open([source], { options: { header: false } })).rejects.toThrow("columnNames");
    await expect(csv.open([source], { options: { lineEnd: "\n" } })).rejects.not.toThrow("columnNames");
  });

  test.each<[string, object]>([
    ["lineEnd", { lineEnd: "\r" }],
    ["header", { header: 1 }],
    ["emptyListText", { emptyListText: 5 }],
    ["base64Columns", { base64Columns: "x" }],
    ["delimiter", { delimiter: "" }],
  ])("if its value is invalid for writing: %s", async (argument, options) => {
    await expect(csv.createWriter(memoryTarget("x.csv"), { arrowSchema, options })).rejects.toMatchObject({
      code: "invalid-argument",
      argument,
    });
  });
});
