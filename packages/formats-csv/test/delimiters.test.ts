import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import type { CsvOptions } from "@tfxio/formats-csv";
import { Random } from "@tfxio/wire";
import { csv } from "../src/index.js";
import { memoryTarget } from "@tfxio/wire";
import { type RecordBatch, Schema as ArrowSchema, Field, Utf8, vectorFromArray } from "apache-arrow";
import { plainRows, recordBatchOf } from "@tfxio/arrow-encoding";
import { readCsv } from "./read-csv.js";

// Texts, and their rows as read by one or two readers: Python's csv, pandas or DuckDB. fixtures/delimiters.py writes the JSON
// file.
interface Golden {
  readonly delimiter: string;
  readonly quote: string;
  readonly text: string;
  readonly rows: Readonly<Record<string, readonly (readonly string[])[]>>;
}
const goldens = JSON.parse(
  readFileSync(new URL("fixtures/delimiters.json", import.meta.url), "utf8"),
) as readonly Golden[];

const asText: Partial<CsvOptions> = {
  columnNames: ["a", "b"],
  types: { a: "bytes", b: "bytes" },
  nullMarkers: [],
};
const readers = goldens.flatMap((golden) =>
  Object.keys(golden.rows).map((name) => [golden.text, name, golden] as const),
);

test.each(readers)("%j is read as the Python module %s reads it", async (_, name, golden) => {
  const { delimiter, quote, text, rows } = golden;
  const found = await readCsv(text, { options: { ...asText, delimiter, quote } });
  expect(found.map((row) => Object.values(row as Record<string, string[]>).map((cells) => cells[0]))).toEqual(
    rows[name],
  );
});

const marks: readonly (readonly [delimiter: string, quote: string])[] = [
  ["||", '"'],
  ["|.|", '"'],
  ["aba", "'"],
  ["§", "«"],
  [",", "😀"],
  ["::::", "»"],
];
const pieces = [
  "|",
  "||",
  ".",
  "a",
  "b",
  "ab",
  "§",
  "£",
  "«",
  "»",
  "😀",
  ":",
  "::",
  "'",
  '"',
  ",",
  "é",
  "\n",
  "",
];

function randomCell(random: Random): string {
  return Array.from({ length: random.below(5) }, () => pieces[random.below(pieces.length)]).join("");
}

function batchOf(cells: readonly (readonly string[])[]): RecordBatch {
  const columns = ["a", "b"].map((_, index) =>
    vectorFromArray(
      cells.map((row) => row[index]!),
      new Utf8(),
    ),
  );
  const fields = ["a", "b"].map((name) => new Field(name, new Utf8(), true));
  return recordBatchOf(
    new ArrowSchema(fields),
    cells.length,
    columns.map(({ data }) => data[0]!),
  );
}

describe.each(marks)("with delimiter %j and quote %j", (delimiter, quote) => {
  const random = Random.of(7, 0);
  const cells = Array.from({ length: 60 }, () => [randomCell(random), randomCell(random)]);

  async function written(): Promise<Uint8Array> {
    const target = memoryTarget("rows.csv");
    const batch = batchOf(cells);
    const options = { delimiter, quote, nullMarkers: ["NULL"], header: false };
    const writer = await csv.createWriter(target, { arrowSchema: batch.schema, options });
    await writer.write(batch);
    await writer.finish();
    await target.commit();
    return target.bytes();
  }

  test("random tables are written and read back unchanged for different split sizes", async () => {
    const bytes = await written();
    const expected = cells.map(([a, b]) => ({ a: [a], b: [b] }));
    const options = { ...asText, delimiter, quote };
    for (const splitBytes of [undefined, 1, 2, 13, 100, 1000]) {
      expect(await readCsv(bytes, { options, request: { splitBytes } })).toEqual(expected);
    }
  });

  test("random tables are read back unchanged from a stream with chunks of random sizes", async () => {
    const bytes = await written();
    const expected = cells.map(([a, b]) => ({ a: [a], b: [b] }));
    async function* stream(): AsyncGenerator<Uint8Array, void, undefined> {
      for (let at = 0; at < bytes.length; ) {
        const end = at + 1 + random.below(7);
        yield bytes.subarray(at, end);
        at = end;
      }
    }
    const reader = await csv.openStream!(stream(), { options: { ...asText, delimiter, quote } });
    const plan = await reader.plan({});
    const rows: object[] = [];
    for (const split of plan.splits)
      for await (const batch of plan.read(split)) rows.push(...plainRows(batch));
    await reader.close();
    expect(rows).toEqual(expected);
  });
});

test("the secondary delimiter may have several characters", async () => {
  const options = { secondaryDelimiter: "; ", multivalentColumns: ["a"], types: { a: "int" } } as const;
  expect(await readCsv("a,b\n1; 2; 3,x\n4,y\n", { options })).toEqual([
    { a: [1, 2, 3], b: ["x"] },
    { a: [4], b: ["y"] },
  ]);
});

test("a multivalent cell with a value whose quote is not closed is rejected", async () => {
  const options = { secondaryDelimiter: "|", multivalentColumns: ["a"], types: { a: "bytes" } } as const;
  await expect(readCsv('a\n"x|""y"\n', { options })).rejects.toThrow(
    'column "a": found "x|\\"y", expected values whose quotes are closed and whose line breaks are quoted.',
  );
});

test.each<[Partial<CsvOptions>, string]>([
  [{ delimiter: "" }, "delimiter"],
  [{ delimiter: "\n" }, "delimiter"],
  [{ delimiter: "a\rb" }, "delimiter"],
  [{ delimiter: "\ud800" }, "delimiter"],
  [{ delimiter: '|"' }, "delimiter"],
  [{ delimiter: "\\|", escape: "\\" }, "delimiter"],
  [{ delimiter: "#|", comment: "#" }, "delimiter"],
  [{ quote: "''" }, "quote"],
  [{ quote: "" }, "quote"],
  [{ secondaryDelimiter: '"', multivalentColumns: ["a"] }, "secondaryDelimiter"],
])("the invalid options %j are rejected", async (options, argument) => {
  await expect(readCsv("a\n", { options })).rejects.toMatchObject({ code: "invalid-argument", argument });
});

test("a null marker that ends with the first character of a two-character delimiter is rejected", async () => {
  const { schema: arrowSchema } = batchOf([]);
  const options = { delimiter: "||", nullMarkers: ["-|"] };
  await expect(csv.createWriter(memoryTarget("x.csv"), { arrowSchema, options })).rejects.toMatchObject({
    code: "invalid-argument",
    argument: "nullMarkers",
  });
});
