import { expect, test } from "@jest/globals";
import { type BrokenFixture, formatChecks, type FormatFixture } from "@tfxio/format/testkit";
import { type ExampleOptions, type TfRecordOptions, tfrecord } from "@tfxio/formats-tfrecord";
import { encodeExample } from "@tfxio/arrow-encoding";
import { parseSchemaText } from "@tfxio/schema";
import { encodeTfRecords } from "@tfxio/wire";
import { exampleRecords, exampleRows } from "./example-records.js";

type Options = TfRecordOptions & ExampleOptions;

const plain = await encodeTfRecords(exampleRecords);
const gzip = await encodeTfRecords(exampleRecords, { compression: "gzip" });
const schema = parseSchemaText('feature { name: "z" type: INT } feature { name: "x" type: BYTES }');

// A file that is long enough for several parts. Their boundaries are sought at intervals of at least 16 KiB.
const padded = Array.from({ length: 12 }, (_, id) => ({ id, pad: "x".repeat(7000 + 500 * id) }));
const long = await encodeTfRecords(
  padded.map(({ id, pad }) =>
    encodeExample({ id: { kind: "int64", values: [id] }, pad: { kind: "bytes", values: [pad] } }),
  ),
);

const fixtures: readonly FormatFixture<Options>[] = [
  { name: "plain", sources: [plain], rows: exampleRows },
  {
    name: "a file of several parts",
    sources: [long],
    rows: padded.map(({ id, pad }) => ({ id: [id], pad: [pad] })),
  },
  { name: "gzip", sources: [gzip], rows: exampleRows },
  { name: "two files, one of them gzip", sources: [gzip, plain], rows: [...exampleRows, ...exampleRows] },
  {
    name: "plain, with a schema",
    sources: [plain],
    rows: exampleRows.map(({ x = null, z = null }) => ({ x, z })),
    schema,
  },
  {
    name: "plain with the compression option, payload checksums not verified",
    sources: [plain],
    rows: exampleRows,
    options: { compression: "none", verifyPayloadCrc: false },
  },
  {
    name: "written as gzip",
    sources: [gzip],
    rows: exampleRows,
    options: { compression: "gzip" },
    writeOptions: { compression: "gzip" },
  },
];

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = bytes.slice();
  copy[at] = (copy[at] ?? 0) ^ 0x10;
  return copy;
}

const broken: readonly BrokenFixture<Options>[] = [
  {
    name: "a flipped bit in a length",
    sources: [flipped(plain, 1)],
    error: { code: "corrupt-record", reason: "length-crc" },
  },
  {
    name: "a flipped bit in a payload",
    sources: [plain, flipped(plain, 20)],
    error: { code: "corrupt-record", reason: "payload-crc" },
  },
  {
    name: "a file truncated in its last record",
    sources: [plain.subarray(0, plain.length - 5)],
    error: { code: "truncated-record" },
  },
  {
    name: "a truncated gzip file",
    sources: [gzip.subarray(0, gzip.length - 12)],
    error: { code: "truncated-record" },
  },
  {
    name: "a record that is not a tf.Example",
    sources: [await encodeTfRecords([...exampleRecords, new TextEncoder().encode("no Example")])],
    error: { code: "malformed-payload" },
  },
  {
    name: "a text file",
    sources: [new TextEncoder().encode("some,words,separated,by,commas\n")],
    error: { code: "corrupt-record", reason: "length-crc" },
  },
  {
    name: "a feature whose kind differs from the schema's type",
    sources: [plain],
    schema: parseSchemaText('feature { name: "x" type: INT }'),
    error: { code: "schema-mismatch", reason: "wrong-kind" },
  },
];

const checks = formatChecks(tfrecord, { fixtures: [...fixtures, ...broken] });

test.each(checks)("$name", async ({ run }) => {
  expect(await run()).toBeUndefined();
});
