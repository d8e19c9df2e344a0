import { describe, expect, test } from "@jest/globals";
import { encodeExample } from "@tfxio/arrow-encoding";
import { type PayloadDecoder, type ReadPlan, type ReadRequest, recordFormat } from "@tfxio/format";
import {
  type ExampleOptions,
  examplePayload,
  sequenceTfrecord,
  tfRecordContainer,
  tfrecord,
  type TfRecordOptions,
} from "@tfxio/formats-tfrecord";
import { ColumnPath, parseSchemaText } from "@tfxio/schema";
import { bytesSource, encodeTfRecord, encodeTfRecords, type Position } from "@tfxio/wire";
import type { RecordBatch } from "apache-arrow";

type Options = TfRecordOptions & ExampleOptions;

const numbered = (numRecords: number, padding = 0): Uint8Array[] =>
  Array.from({ length: numRecords }, (_, index) =>
    encodeExample({
      id: { kind: "int64", values: [index] },
      pad: { kind: "bytes", values: [new Uint8Array(padding)] },
    }),
  );

async function open(
  bytes: Uint8Array,
  request: ReadRequest = {},
  options: Partial<Options> = {},
): Promise<ReadPlan> {
  return (await tfrecord.open([bytesSource(bytes, "some.tfrecord")], { options })).plan(request);
}

async function read(plan: ReadPlan, from?: Position): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  for (const split of plan.splits) for await (const batch of plan.read(split, { from })) batches.push(batch);
  return batches;
}

function idsOf(batches: readonly RecordBatch[]): number[] {
  return batches.flatMap((batch) => {
    const ids = batch.getChild("id");
    return Array.from({ length: batch.numRows }, (_, row) => Number(ids?.get(row)?.get(0)));
  });
}

const upTo = (end: number, start = 0): number[] =>
  Array.from({ length: end - start }, (_, index) => start + index);

describe("compression", () => {
  const records = numbered(10);

  test.each(["none", "gzip", "zlib"] as const)(
    "%s is detected, or used as requested",
    async (compression) => {
      const bytes = await encodeTfRecords(records, { compression });
      for (const option of ["auto", compression] as const) {
        expect(idsOf(await read(await open(bytes, {}, { compression: option })))).toEqual(upTo(10));
      }
    },
  );

  test("is rejected if it does not match the file, which the error names", async () => {
    const plan = await open(await encodeTfRecords(records), {}, { compression: "gzip" });
    await expect(read(plan)).rejects.toMatchObject({ code: "corrupt-record", uri: "some.tfrecord" });
  });
});

describe("options", () => {
  test.each([
    [
      "compression",
      "bzip2",
      'tfrecord: compression must be "auto", "none", "gzip" or "zlib", found "bzip2".',
    ],
    ["verifyPayloadCrc", "yes", 'tfrecord: verifyPayloadCrc must be true or false, found "yes".'],
    ["onMalformed", "ignore", 'example: onMalformed must be "error" or "skip", found "ignore".'],
    ["listType", "fixed-size", 'example: listType must be "list", "large" or "fixed", found "fixed-size".'],
  ])("with an invalid value are rejected: %s %s", async (argument, value, message) => {
    const options = { [argument]: value };
    await expect(tfrecord.open([bytesSource(new Uint8Array())], { options })).rejects.toMatchObject({
      argument,
      message: `[invalid-argument] ${message}`,
    });
  });

  test("have the defaults of the container and of the payload", () => {
    expect(tfrecord.defaults).toEqual({
      compression: "auto",
      verifyPayloadCrc: true,
      index: "none",
      onMalformed: "error",
      listType: "list",
    });
    expect(tfrecord.id).toBe("tfrecord");
  });

  test("can request large lists, or fixed-size lists if the schema fixes the length", async () => {
    const bytes = await encodeTfRecords(numbered(5));
    const typesOf = async (listType: Options["listType"], request: ReadRequest): Promise<string[]> => {
      const plan = await open(bytes, request, { listType });
      const [batch] = await read(plan);
      if (plan.arrowSchema !== undefined) {
        expect(batch?.schema.fields.map(String)).toEqual(plan.arrowSchema.fields.map(String));
      }
      return batch?.schema.fields.map(({ type }) => String(type)) ?? [];
    };
    const schema = parseSchemaText('feature { name: "id" type: INT value_count { min: 1 max: 1 } }');
    expect(await typesOf("fixed", { schema })).toEqual(["FixedSizeList[1]<Int64>"]);
    expect(await typesOf("large", {})).toEqual(["LargeList<Int64>", "LargeList<LargeBinary>"]);
  });

  test("cannot request fixed-size lists without a schema", async () => {
    const bytes = await encodeTfRecords(numbered(1));
    await expect(open(bytes, {}, { listType: "fixed" })).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "listType",
    });
    const sequences = await sequenceTfrecord.open([bytesSource(bytes)], { options: { listType: "fixed" } });
    await expect(sequences.plan({})).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "listType",
    });
  });

  test("do not make lists fixed-size while a schema is being inferred", async () => {
    const bytes = await encodeTfRecords(numbered(2));
    const [batch] = await read(await open(bytes, { isSample: true }, { listType: "fixed" }));
    expect(batch?.schema.fields.map(({ type }) => String(type))).toEqual(["List<Int64>", "List<Binary>"]);
  });

  test("do not make the raw record column a fixed-size list, even if no other column is read", async () => {
    const records = numbered(2);
    const bytes = await encodeTfRecords(records);
    const schema = parseSchemaText('feature { name: "id" type: INT value_count { min: 1 max: 1 } }');
    const request = { schema, columns: [], rawRecordColumn: "raw" };
    const [batch] = await read(await open(bytes, request, { listType: "fixed" }));
    expect(batch?.schema.fields.map(String)).toEqual(["raw: List<Binary>"]);
    const raw = batch?.getChild("raw");
    expect([0, 1].map((row) => Array.from(raw?.get(row)?.get(0)))).toEqual(
      records.map((record) => Array.from(record)),
    );
  });

  test("can request fixed-size lists; an error then names the file and record of a list with a different length", async () => {
    const schema = parseSchemaText('feature { name: "id" type: INT value_count { min: 2 max: 2 } }');
    const records = Array.from({ length: 7 }, (_, row) =>
      encodeExample({ id: { kind: "int64", values: row === 5 ? [1] : [1, 2] } }),
    );
    const plan = await open(await encodeTfRecords(records), { schema, batchSize: 2 }, { listType: "fixed" });
    await expect(read(plan)).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "list-length",
      columnPath: "id",
      uri: "some.tfrecord",
      recordIndex: 5,
    });
  });

  test("can skip the verification of payload checksums", async () => {
    const bytes = await encodeTfRecords(numbered(3));
    bytes[bytes.length - 1]! ^= 1;
    await expect(read(await open(bytes))).rejects.toMatchObject({ code: "corrupt-record", recordIndex: 2 });
    expect(idsOf(await read(await open(bytes, {}, { verifyPayloadCrc: false })))).toEqual(upTo(3));
  });

  test("can skip malformed records, which are counted", async () => {
    const [first, second, third] = numbered(3) as [Uint8Array, Uint8Array, Uint8Array];
    const damaged = Uint8Array.of(0x0a, 0xff);
    const bytes = await encodeTfRecords([damaged, first, damaged, second, third, damaged]);
    await expect(read(await open(bytes))).rejects.toMatchObject({
      code: "malformed-payload",
      recordIndex: 0,
    });
    const plan = await open(bytes, { batchSize: 2 }, { onMalformed: "skip" });
    const skipped: number[] = [];
    const batches: RecordBatch[] = [];
    const onProgress = ({ numSkipped }: { readonly numSkipped: number }): void => {
      skipped.push(numSkipped);
    };
    for await (const batch of plan.read(plan.splits[0]!, { onProgress })) batches.push(batch);
    expect(idsOf(batches)).toEqual(upTo(3));
    expect(skipped.at(-1)).toBe(3);
  });

  test("can set the limit maxRecordBytes, above which a record is rejected", async () => {
    const bytes = await encodeTfRecords(numbered(2, 1000));
    const sources = [bytesSource(bytes, "some.tfrecord")];
    const reader = await tfrecord.open(sources, { limits: { maxRecordBytes: 100 } });
    await expect(read(await reader.plan())).rejects.toMatchObject({ code: "limit-exceeded", recordIndex: 0 });
  });

  test("limit records to 64 MiB by default; a longer record fails at its header, and the error names the limit", async () => {
    // A header with a valid checksum, for a record that never arrives.
    const bytes = encodeTfRecord(new Uint8Array(2 ** 26 + 1)).subarray(0, 100);
    const source = { ...bytesSource(bytes, "some.tfrecord"), byteLength: 2 ** 27 };
    const reader = await tfrecord.open([source]);
    await expect(read(await reader.plan())).rejects.toMatchObject({
      code: "limit-exceeded",
      reason: "record-length",
      message: expect.stringContaining("maxRecordBytes (67108864 bytes)"),
    });
  });

  test("limit every record, not only the first, and the error names the limit and the record", async () => {
    const bytes = await encodeTfRecords([...numbered(2), ...numbered(1, 1000)]);
    const reader = await tfrecord.open([bytesSource(bytes, "some.tfrecord")], {
      limits: { maxRecordBytes: 100 },
    });
    await expect(read(await reader.plan())).rejects.toMatchObject({
      recordIndex: 2,
      message: expect.stringContaining("maxRecordBytes (100 bytes)"),
    });
  });
});

describe("a plan", () => {
  const bytes = encodeTfRecord(
    encodeExample({ b: { kind: "float", values: [1] }, a: { kind: "bytes", values: ["x"] } }),
  );
  const schema = parseSchemaText('feature { name: "b" type: FLOAT } feature { name: "a" type: BYTES }');

  test("has an Arrow schema only with a TFMD schema", async () => {
    expect((await open(bytes)).arrowSchema).toBeUndefined();
    expect((await open(bytes, { schema })).arrowSchema?.names).toEqual(["b", "a"]);
    expect((await open(bytes, { schema, columns: [ColumnPath.of("a")] })).arrowSchema?.names).toEqual(["a"]);
  });

  test("rejects a column that the schema lacks", async () => {
    await expect(open(bytes, { schema, columns: [ColumnPath.of("c")] })).rejects.toMatchObject({
      code: "schema-mismatch",
      columnPath: "c",
    });
  });

  test("rejects a column path with two steps, even without a schema", async () => {
    await expect(open(bytes, { columns: [ColumnPath.of("a", "b")] })).rejects.toMatchObject({
      code: "schema-mismatch",
    });
  });

  test("rejects a schema with a STRUCT feature, which a tf.Example cannot hold", async () => {
    const nested = parseSchemaText('feature { name: "s" type: STRUCT }');
    await expect(open(bytes, { schema: nested })).rejects.toMatchObject({ code: "schema-invalid" });
  });

  test("rejects a raw record column that has a feature's name; without a schema, reading rejects it", async () => {
    await expect(open(bytes, { schema, rawRecordColumn: "a" })).rejects.toMatchObject({
      code: "invalid-argument",
    });
    await expect(read(await open(bytes, { rawRecordColumn: "a" }))).rejects.toMatchObject({
      code: "invalid-argument",
    });
  });

  test("returns the serialized record in the raw record column", async () => {
    const [batch] = await read(await open(bytes, { rawRecordColumn: "raw" }));
    expect(batch?.getChild("raw")?.get(0)?.get(0)).toEqual(bytes.slice(12, -4));
  });

  test("drops unlisted features, or on request rejects the first record that has one", async () => {
    const drifting = await encodeTfRecords([
      encodeExample({ a: { kind: "float", values: [1] } }),
      encodeExample({ a: { kind: "float", values: [2] }, b: { kind: "float", values: [3] } }),
    ]);
    const narrow = parseSchemaText('feature { name: "a" type: FLOAT }');
    const plan = await open(drifting, { schema: narrow, unlisted: "error" });
    expect(plan.arrowSchema?.names).toEqual(["a"]);
    await expect(read(plan)).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "unlisted-feature",
      columnPath: "b",
      uri: "some.tfrecord",
      recordIndex: 1,
    });
    const dropping = await open(drifting, { schema: narrow });
    expect((await read(dropping)).map((batch) => batch.schema.names)).toEqual([["a"]]);
  });
});

describe("a position", () => {
  test.each(["none", "gzip"] as const)(
    "lets a read resume in a file of several chunks with compression %s",
    async (compression) => {
      const bytes = await encodeTfRecords(numbered(300, 10_000), { compression });
      const plan = await open(bytes, { batchSize: 37 });
      const positions: Position[] = [];
      for await (const batch of plan.read(plan.splits[0]!, {
        onProgress: (now) => positions.push(now.position),
      })) {
        expect(batch.numRows).toBeLessThanOrEqual(37);
      }
      expect(positions.map(({ row }) => row)).toEqual([37, 74, 111, 148, 185, 222, 259, 296, 300]);
      for (const from of positions.filter((_, index) => index % 3 === 2)) {
        expect(idsOf(await read(plan, from))).toEqual(upTo(300, from.row));
        expect(idsOf(await read(plan, { row: from.row }))).toEqual(upTo(300, from.row));
      }
    },
  );

  test("past the end is rejected", async () => {
    const plan = await open(await encodeTfRecords(numbered(3)));
    await expect(read(plan, { row: 4 })).rejects.toMatchObject({ code: "invalid-argument" });
  });
});

test("a batch ends at about 32 MiB by default", async () => {
  const numRecords = 40;
  const bytes = await encodeTfRecords(numbered(numRecords, 2 ** 20));
  const batches = await read(await open(bytes));
  expect(batches.length).toBeGreaterThan(1);
  expect(Math.max(...batches.map(({ numRows }) => numRows))).toBeLessThanOrEqual(33);
  expect(idsOf(batches)).toEqual(upTo(numRecords));
});

test("a payload that takes records in blocks yields batches of the requested size, and can start at a given row", async () => {
  const unfused: PayloadDecoder<ExampleOptions> = {
    ...examplePayload,
    async plan(request, options) {
      const plan = await examplePayload.plan(request, options);
      return {
        ...plan,
        createSession() {
          const session = plan.createSession();
          return {
            framings: [],
            get numRows() {
              return session.numRows;
            },
            get numSkipped() {
              return session.numSkipped;
            },
            push: (block, start, limits) => session.push(block, start, limits),
            finish: () => session.finish(),
          };
        },
      };
    },
  };
  const format = recordFormat(tfRecordContainer, unfused);
  const bytes = await encodeTfRecords(numbered(300, 5000));
  const plan = await (await format.open([bytesSource(bytes)])).plan({ batchSize: 70 });
  const batches = await read(plan);
  expect(batches.map(({ numRows }) => numRows)).toEqual([70, 70, 70, 70, 20]);
  expect(idsOf(batches)).toEqual(upTo(300));
  expect(idsOf(await read(plan, { row: 123 }))).toEqual(upTo(300, 123));
});
