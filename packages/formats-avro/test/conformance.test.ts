import { expect, test } from "@jest/globals";
import { type BrokenFixture, formatChecks, type FormatFixture } from "@tfxio/format/testkit";
import { avro, type AvroOptions } from "@tfxio/formats-avro";
import { parseSchemaText } from "@tfxio/schema";
import { avscFile } from "./avsc-file.js";

const avroSchema = {
  type: "record",
  name: "Trip",
  fields: [
    { name: "id", type: "long" },
    { name: "fare", type: ["null", "double"] },
    { name: "company", type: "string" },
    { name: "tags", type: { type: "array", items: ["null", "string"] } },
  ],
} as const;

const rows = [
  { id: 1, fare: 12.5, company: "Blue", tags: ["a", null] },
  { id: -(2 ** 40), fare: null, company: "", tags: [] },
  { id: 9_007_199_254_740_993n, fare: 0, company: "Zürich", tags: ["x"] },
  { id: 4, fare: -1e300, company: "a longer name than the others have", tags: ["", "b", null] },
];
const stored = rows.map(({ id, fare, company, tags }) => ({
  id: BigInt(id),
  fare: fare === null ? null : { double: fare },
  company,
  tags: tags.map((tag) => (tag === null ? null : { string: tag })),
}));

const plain = await avscFile(avroSchema, stored);
const deflate = await avscFile(avroSchema, stored, { codec: "deflate", blockSize: 20 });
const snappy = await avscFile(avroSchema, stored, { codec: "snappy" });

const fixtures: readonly FormatFixture<AvroOptions>[] = [
  { name: "plain blocks", sources: [plain], rows },
  { name: "deflate", sources: [deflate], rows, writeOptions: { codec: "deflate" } },
  {
    name: "a snappy file and a deflate file",
    sources: [snappy, deflate],
    rows: [...rows, ...rows],
    writeOptions: { codec: "snappy" },
  },
  {
    name: "written in blocks of one row",
    sources: [plain],
    rows,
    writeOptions: { codec: "null", blockBytes: 1 },
  },
  {
    name: "with a schema",
    sources: [plain],
    rows: rows.map(({ id, company }) => ({ company, id })),
    schema: parseSchemaText('feature { name: "company" type: BYTES } feature { name: "id" type: INT }'),
  },
  { name: "no rows", sources: [await avscFile(avroSchema, [])], rows: [] },
];

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = bytes.slice();
  copy[at] = (copy[at] ?? 0) ^ 0x10;
  return copy;
}

const broken: readonly BrokenFixture<AvroOptions>[] = [
  {
    name: "an empty file",
    sources: [new Uint8Array(0)],
    error: { code: "corrupt-record", reason: "framing" },
  },
  {
    name: "a CSV file",
    sources: [new TextEncoder().encode("id,fare\n1,2\n")],
    error: { code: "corrupt-record", reason: "framing" },
  },
  {
    name: "a flipped bit in a sync marker",
    sources: [flipped(plain, plain.length - 1)],
    error: { code: "corrupt-record", reason: "framing" },
  },
  {
    name: "a file truncated in its last block",
    sources: [plain.subarray(0, plain.length - 20)],
    error: { code: "truncated-record", reason: "record-end" },
  },
  {
    name: "a snappy block with a wrong checksum",
    sources: [flipped(snappy, snappy.length - 17)],
    error: { code: "corrupt-record", reason: "codec" },
  },
];

const checks = formatChecks(avro, { fixtures: [...fixtures, ...broken] });

test.each(checks)("$name", async ({ run }) => {
  expect(await run()).toBeUndefined();
});
