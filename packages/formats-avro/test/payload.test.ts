import { expect, test } from "@jest/globals";
import { plainRows } from "@tfxio/arrow-encoding";
import { decodeRecords, recordFormat } from "@tfxio/format";
import { sizeDelimitedContainer } from "@tfxio/format/containers";
import { formatChecks } from "@tfxio/format/testkit";
import { avroPayload } from "@tfxio/formats-avro";
import { parseSchemaText } from "@tfxio/schema";
import { avscValue } from "./avsc-file.js";

const schema = {
  type: "record",
  name: "R",
  fields: [
    { name: "id", type: "long" },
    { name: "name", type: ["null", "string"] },
  ],
} as const;
const options = { avroSchema: JSON.stringify(schema) };
const rows = [
  { id: 1, name: "a" },
  { id: -300, name: null },
  { id: 3, name: "" },
];
const limits = { maxRecordBytes: 1e6, maxPageBytes: 1e6, maxMetadataBytes: 1e6, maxColumns: 100 };
const records = rows.map(({ id, name }) =>
  avscValue(schema, { id: BigInt(id), name: name === null ? null : { string: name } }),
);
const delimited = Uint8Array.from(records.flatMap((record) => [record.length, ...record]));

const checks = formatChecks(recordFormat(sizeDelimitedContainer, avroPayload), {
  fixtures: [
    { name: "delimited records", sources: [delimited], rows, options },
    {
      name: "with a schema",
      sources: [delimited],
      rows: rows.map(({ name }) => ({ name })),
      options,
      schema: parseSchemaText('feature { name: "name" type: BYTES }'),
    },
    {
      name: "a record with an extra byte",
      sources: [Uint8Array.of(4, 2, 0, 0, 0)],
      options,
      error: { code: "malformed-payload", reason: "left-over" },
    },
    {
      name: "a truncated record",
      sources: [Uint8Array.of(1, 2)],
      options,
      error: { code: "malformed-payload", reason: "truncated" },
    },
  ],
});

test.each(checks)("$name", async ({ run }) => {
  expect(await run()).toBeUndefined();
});

test("avroPayload decodes records in memory, even after an error", async () => {
  const decoder = await decodeRecords(avroPayload, { options });
  expect(decoder.arrowSchema?.names).toEqual(["id", "name"]);
  const { batch } = decoder.decode(records);
  expect([...plainRows(batch)]).toEqual(rows);
  expect(() => decoder.decode([Uint8Array.of(9)])).toThrow("record 0");
  expect(() => decoder.decode([Uint8Array.of(...records[0]!, 0, 0)])).toThrow(
    /record 0 at byte 0 has 2 bytes left over after its last value\.$/,
  );
  expect(decoder.decode(records).batch.numRows).toBe(3);
});

test("avroPayload reports the location of a truncated record after good records", () => {
  // Two good records, and a truncated one of a single byte, without the field `name`.
  const bytes = Uint8Array.from([...records[0]!, ...records[2]!, 2]);
  const starts = Uint32Array.of(0, records[0]!.length, bytes.length - 1);
  const ends = Uint32Array.of(records[0]!.length, bytes.length - 1, bytes.length);
  const block = { uri: "x", bytes, numRecords: 3, starts, ends, firstRecordIndex: 10, byteOffset: 100 };
  return avroPayload.plan({ unlisted: "drop", limits }, { avroSchema: options.avroSchema }).then((plan) => {
    const push = () => plan.createSession().push(block, 0, { maxRows: 10, maxBytes: 1000 });
    expect(push).toThrow(
      expect.objectContaining({
        recordIndex: 12,
        byteOffset: 100 + bytes.length - 1,
        message: expect.stringContaining(`1 byte into the record at byte ${100 + bytes.length - 1}.`),
      }),
    );
  });
});

test("avroPayload requires the schema with which the records were written", async () => {
  await expect(decodeRecords(avroPayload)).rejects.toMatchObject({
    code: "invalid-argument",
    argument: "avroSchema",
  });
});

test("avroPayload adds a column with the bytes of each record, and rejects a name that a field already has", async () => {
  const decoder = await decodeRecords(avroPayload, { options, rawRecordColumn: "raw" });
  const { batch } = decoder.decode(records);
  expect(decoder.arrowSchema?.names).toEqual(["id", "name", "raw"]);
  const raw = batch.getChild("raw")!;
  expect(records.map((_, row) => [...(raw.get(row) as Uint8Array)])).toEqual(
    records.map((bytes) => [...bytes]),
  );
  await expect(decodeRecords(avroPayload, { options, rawRecordColumn: "id" })).rejects.toMatchObject({
    code: "invalid-argument",
    reason: "raw-column-collision",
  });
});
