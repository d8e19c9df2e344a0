import { writeFile } from "node:fs/promises";
import path from "node:path";
import { csv } from "@tfxio/formats-csv";
import { type RecordBatch, Table, Utf8, vectorFromArray } from "apache-arrow";
import { assertSame } from "../assert-same.js";
import type { Reporter } from "../interop.js";
import { runPython } from "../python.js";
import { seeded } from "../seeded.js";
import { writeBatches } from "./foreign-files.js";

/** Pairs of our options and the equivalent arguments of Python's `csv.reader`. */
const dialects = [
  [{}, {}],
  [{ lineEnd: "\n" }, {}],
  [{ delimiter: "\t" }, { delimiter: "\t" }],
  [
    { delimiter: ";", quote: "'" },
    { delimiter: ";", quotechar: "'" },
  ],
  [{ escape: "\\" }, { escapechar: "\\" }],
  [
    { escape: "\\", doubledQuote: false },
    { escapechar: "\\", doublequote: false },
  ],
  [
    { delimiter: "|", quote: "a", escape: "#" },
    { delimiter: "|", quotechar: "a", escapechar: "#" },
  ],
] as const;

/** Characters that have a meaning in some dialect, and some ordinary characters. */
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
  "a",
  "b",
  " ",
  "é",
  "\uFEFF",
  "0",
];
const numColumns = 3;
const numRows = 2000;

/** Checks that Python's `csv` reads the random text that we write in several dialects. */
export async function checkCsvDialects(python: string, folder: string, { check }: Reporter): Promise<void> {
  const columns = randomText();
  const [batch] = new Table(
    Object.fromEntries(
      Object.entries(columns).map(([name, texts]) => [name, vectorFromArray(texts, new Utf8())]),
    ),
  ).batches as [RecordBatch];
  const requests: object[] = [];
  for (const [index, [options, dialect]] of dialects.entries()) {
    const file = path.join(folder, `dialect-${index}.csv`);
    await writeBatches(csv, file, [batch], options);
    requests.push({ path: file, ...dialect });
  }
  const requestFile = path.join(folder, "dialects.json");
  await writeFile(requestFile, JSON.stringify(requests));
  const answers = (await runPython(python, "csv_dialects.py", [requestFile])) as readonly unknown[];
  const records = [Object.keys(columns), ...rowsOf(Object.values(columns))];
  for (const [index, [options]] of dialects.entries()) {
    await check(`Python's csv reads back the random text that we wrote with ${JSON.stringify(options)}`, () =>
      assertSame(records, answers[index]),
    );
  }
}

/** Returns random strings for each column, by column name. */
function randomText(): Readonly<Record<string, readonly string[]>> {
  const below = seeded(12);
  const text = (): string =>
    Array.from({ length: below(6) }, () => characters[below(characters.length)]).join("");
  const names = Array.from({ length: numColumns }, (_, index) => `column ${index},`);
  return Object.fromEntries(names.map((name) => [name, Array.from({ length: numRows }, text)]));
}

function rowsOf(columns: readonly (readonly string[])[]): string[][] {
  return Array.from({ length: numRows }, (_, row) => columns.map((texts) => texts[row] as string));
}
