import { expect, test } from "@jest/globals";
import { type BrokenFixture, formatChecks, type FormatFixture, type FixtureRow } from "@tfxio/format/testkit";
import { protobuf } from "@tfxio/formats-protobuf";
import { parseSchemaText } from "@tfxio/schema";
import { gzipSync } from "node:zlib";
import { delimited, message, sampleType } from "./sample.js";

type Options = typeof protobuf.defaults;

const options: Partial<Options> = await sampleType();

const records = [
  message([
    [1, 5],
    [2, "first"],
    [
      4,
      [
        [1, 4],
        [2, "a"],
        [2, "b"],
      ],
    ],
    [4, []],
    [
      6,
      [
        [1, "k"],
        [2, 3],
      ],
    ],
    [9, "w"],
  ]),
  message([]),
  message([
    [1, -1],
    [8, 9],
    [5, [[2, ""]]],
  ]),
  message([
    [2, ""],
    [12, 99],
  ]),
];
const leaf = { depth: null, tag: null };
const rows: readonly FixtureRow[] = [
  {
    id: [5],
    name: ["first"],
    leaf: [{ depth: [2], tag: ["a", "b"] }, leaf],
    count: [{ key: ["k"], value: [3] }],
    word: ["w"],
  },
  {},
  { id: [-1], number: [9], best: [{ depth: null, tag: [""] }] },
  { name: [""], color: [99] },
];

const plain = delimited(records);
const gzip = new Uint8Array(gzipSync(plain));
const schema = parseSchemaText('feature { name: "name" type: BYTES } feature { name: "id" type: INT }');

const fixtures: readonly FormatFixture<Options>[] = [
  { name: "plain", sources: [plain], rows, options, writeOptions: options },
  {
    name: "gzip and plain",
    sources: [gzip, plain],
    rows: [...rows, ...rows],
    options,
    writeOptions: options,
  },
  {
    name: "written as gzip",
    sources: [gzip],
    rows,
    options: { ...options, compression: "gzip" },
    writeOptions: { ...options, compression: "gzip" },
  },
  {
    name: "with a schema",
    sources: [plain],
    rows: rows.map(({ name = null, id = null }) => ({ name, id })),
    schema,
    options,
    writeOptions: options,
  },
  {
    name: "with large lists",
    sources: [plain],
    rows,
    options: { ...options, listType: "large" },
    writeOptions: options,
  },
];

const broken: readonly BrokenFixture<Options>[] = [
  {
    name: "a record that is not a message",
    sources: [delimited([...records, Uint8Array.of(0x0f)])],
    options,
    error: { code: "malformed-payload", reason: "wire-type" },
  },
  {
    name: "a file truncated in its last record",
    sources: [plain.subarray(0, plain.length - 1)],
    options,
    error: { code: "truncated-record" },
  },
];

const checks = formatChecks(protobuf, { fixtures: [...fixtures, ...broken] });

test.each(checks)("$name", async ({ run }) => {
  expect(await run()).toBeUndefined();
});
