import { expect, test } from "@jest/globals";
import { gzipSync } from "node:zlib";
import { type BrokenFixture, formatChecks, type FormatFixture } from "@tfxio/format/testkit";
import { type CsvOptions, type CsvWriteOptions, csv, tsv } from "@tfxio/formats-csv";
import { parseSchemaText } from "@tfxio/schema";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const table = 'id,price,note\n1,2.5,plain\n2,,"two\nlines, and ""quotes"""\n-3,1e3,\n4,.5,é\n';
const rows = [
  { id: [1], price: [2.5], note: ["plain"] },
  { id: [2], price: null, note: ['two\nlines, and "quotes"'] },
  { id: [-3], price: [1000], note: null },
  { id: [4], price: [0.5], note: ["é"] },
];
const schema = parseSchemaText(
  'feature { name: "note" type: BYTES } feature { name: "id" type: INT } feature { name: "price" type: FLOAT }',
);

const fixtures: readonly FormatFixture<CsvOptions & CsvWriteOptions>[] = [
  { name: "inferred types", sources: [utf8(table)], rows },
  { name: "a schema", sources: [utf8(table)], rows, schema },
  { name: "an empty types option", sources: [utf8(table)], rows, options: { types: {} } },
  { name: "gzip", sources: [gzipSync(table)], rows },
  {
    name: "two files whose column orders and line ends differ",
    sources: [utf8(table), utf8('note,id,price\r\n"a\r\nb",7,8\r\n')],
    rows: [...rows, { id: [7], price: [8], note: ["a\r\nb"] }],
  },
  {
    name: "given column names and types, a comment, CR line ends",
    sources: [utf8("# made by hand\r5;6;x\r7;8;y\r9;;'z;'\r")],
    rows: [
      { a: [5], b: [6], c: ["x"] },
      { a: [7], b: [8], c: ["y"] },
      { a: [9], b: null, c: ["z;"] },
    ],
    options: {
      columnNames: ["a", "b", "c"],
      delimiter: ";",
      quote: "'",
      comment: "#",
      types: { b: "float" },
    },
    writeOptions: { header: false, delimiter: ";", quote: "'", comment: "#" },
  },
  {
    name: "lists within cells, multiline off",
    sources: [utf8("tags,sizes\na|b,1|2\n,\nc,3\n")],
    rows: [
      { tags: ["a", "b"], sizes: [1, 2] },
      { tags: null, sizes: null },
      { tags: ["c"], sizes: [3] },
    ],
    options: { multivalentColumns: ["tags", "sizes"], secondaryDelimiter: "|", multiline: false },
    writeOptions: { multivalentColumns: ["tags", "sizes"], secondaryDelimiter: "|", multiline: false },
  },
];

const broken: readonly BrokenFixture<CsvOptions & CsvWriteOptions>[] = [
  {
    name: "a row with too few cells",
    sources: [utf8("a,b\n1,2\n3\n")],
    error: { code: "malformed-payload", reason: "column-count" },
  },
  {
    name: "an unclosed quote",
    sources: [utf8('a,b\n1,2\n3,"4\n')],
    error: { code: "truncated-record", reason: "unclosed-quote" },
  },
  {
    name: "a quoted line break with multiline off",
    sources: [utf8('a,b\n1,"2\n3"\n')],
    options: { multiline: false },
    error: { code: "malformed-payload", reason: "quoted-line-break" },
  },
  {
    name: "a cell that does not fit the schema's type",
    sources: [utf8("a\n1\nx\n")],
    schema: parseSchemaText('feature { name: "a" type: INT }'),
    error: { code: "not-convertible", reason: "cell-value" },
  },
  {
    name: "a repeated column name",
    sources: [utf8("a,a\n1,2\n")],
    error: { code: "schema-invalid", reason: "header-name" },
  },
  {
    name: "a second file with an extra column",
    sources: [utf8("a\n1\n"), utf8("a,b\n1,2\n")],
    error: { code: "schema-mismatch", reason: "header-names" },
  },
  {
    name: "a file that lacks a feature of the schema",
    sources: [utf8("a\n1\n")],
    schema: parseSchemaText('feature { name: "b" type: INT }'),
    error: { code: "schema-mismatch", reason: "not-a-subset" },
  },
];

const tabs: readonly FormatFixture<CsvOptions & CsvWriteOptions>[] = [
  {
    name: "tabs",
    sources: [utf8("a\tb\n1\tx,y\n2\t\n3\tz\n")],
    rows: [
      { a: [1], b: ["x,y"] },
      { a: [2], b: null },
      { a: [3], b: ["z"] },
    ],
  },
];

test.each([
  ...formatChecks(csv, { fixtures: [...fixtures, ...broken] }),
  ...formatChecks(tsv, { fixtures: tabs }),
])("$name", async ({ run }) => {
  expect(await run()).toBeUndefined();
});
