import { describe, expect, test } from "@jest/globals";
import { decodeRecords } from "@tfxio/format";
import { formatChecks, type FormatFixture } from "@tfxio/format/testkit";
import { type RawOptions, rawPayload, rawTfrecord, type TfRecordOptions } from "@tfxio/formats-tfrecord";
import { ColumnPath, parseSchemaText } from "@tfxio/schema";
import { bytesSource, encodeTfRecords, memoryTarget } from "@tfxio/wire";
import {
  Field,
  Int64,
  makeData,
  type RecordBatch,
  Schema as ArrowSchema,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { recordBatchOf } from "@tfxio/arrow-encoding";

type Options = TfRecordOptions & RawOptions;

const texts = ["a record", "", "another\0one", "x".repeat(300), "\u00e9"];
const records = texts.map((text) => new TextEncoder().encode(text));
const plain = await encodeTfRecords(records);
const long = Array.from({ length: 9 }, (_, id) => new Uint8Array(8000 + id).fill(id));
const gzip = await encodeTfRecords(records, { compression: "gzip" });

const fixtures: readonly FormatFixture<Options>[] = [
  { name: "plain", sources: [plain], rows: texts.map((text) => ({ raw_record: [text] })) },
  {
    name: "two files, one of them gzip",
    sources: [gzip, plain],
    rows: [...texts, ...texts].map((text) => ({ raw_record: [text] })),
  },
  {
    name: "a file of several parts",
    sources: [await encodeTfRecords(long)],
    rows: long.map((record) => ({ raw_record: [record] })),
  },
  {
    name: "with a schema and a custom column name",
    sources: [plain],
    rows: texts.map((text) => ({ image: [text] })),
    schema: parseSchemaText('feature { name: "image" type: BYTES }'),
    options: { recordColumn: "image" },
    writeOptions: { recordColumn: "image" },
  },
];

test.each(formatChecks(rawTfrecord, { fixtures }))("$name", async ({ run }) => {
  expect(await run()).toBeUndefined();
});

async function read(
  options: Partial<Options>,
  request = {},
  shuffle?: { seed: number; numRows: number },
): Promise<RecordBatch[]> {
  const reader = await rawTfrecord.open([bytesSource(plain, "some.tfrecord")], { options });
  const plan = await reader.plan(request);
  const batches: RecordBatch[] = [];
  for await (const batch of plan.read(plan.splits[0]!, { shuffle })) batches.push(batch);
  return batches;
}

const cells = (batch: RecordBatch | undefined, name: string): unknown[] =>
  Array.from({ length: batch?.numRows ?? 0 }, (_, row) => batch?.getChild(name)?.get(row)?.get(0));
const decoded = (cell: unknown): string => new TextDecoder().decode(cell as Uint8Array);

describe("raw records", () => {
  test("become one column of one-element lists; the plan declares this column even without a schema", async () => {
    const reader = await rawTfrecord.open([bytesSource(plain)]);
    const { arrowSchema, schema } = await reader.plan();
    expect(arrowSchema?.fields.map(String)).toEqual(["raw_record: List<Binary>"]);
    expect(schema?.feature.map(({ name, shapeType }) => [name, shapeType.case])).toEqual([
      ["raw_record", "shape"],
    ]);
  });

  test("keep their index in the file even if shuffled", async () => {
    const options = { recordIndexColumn: "index" };
    const [batch] = await read(options);
    expect(cells(batch, "index")).toEqual([0n, 1n, 2n, 3n, 4n]);
    const [mixed] = await read(options, {}, { seed: 7, numRows: 5 });
    const numbers = cells(mixed, "index").map(Number);
    expect(numbers).not.toEqual([0, 1, 2, 3, 4]);
    expect(cells(mixed, "raw_record").map(decoded)).toEqual(numbers.map((number) => texts[number]));
  });

  test("have the byte offsets of their frames as row positions", async () => {
    const [batch] = await read({}, { rowPositionColumn: "offset" });
    // 12 bytes before each record and 4 after it, as in record_writer.h.
    const offsets = texts.map((_, row) =>
      records.slice(0, row).reduce((sum, { length }) => sum + 16 + length, 0),
    );
    expect(Array.from(batch?.getChild("offset") ?? [], Number)).toEqual(offsets);
  });

  test("are read with the columns of a schema; every column except the record column is null", async () => {
    const schema = parseSchemaText(
      'feature { name: "label" type: INT } feature { name: "image" type: BYTES }',
    );
    const options = { recordColumn: "image" };
    const [batch] = await read(options, { schema });
    expect(batch?.schema.fields.map(String)).toEqual(["label: List<Int64>", "image: List<Binary>"]);
    expect(batch?.getChild("label")?.nullCount).toBe(5);
    expect(cells(batch, "image").map(decoded)).toEqual(texts);
    const [projected] = await read(options, { schema, columns: [ColumnPath.of("image")] });
    expect(projected?.schema.names).toEqual(["image"]);
  });

  test.each([
    ['feature { name: "raw_record" type: INT }', {}, "wrong-kind"],
    ['feature { name: "other" type: INT }', { unlisted: "error" }, "unlisted-feature"],
    ['feature { name: "raw_record" type: BYTES }', { columns: [ColumnPath.of("x")] }, "unknown-column"],
  ] as const)(
    "cannot be read with a schema or columns that do not fit them: `plan` rejects the request with schema %s",
    async (text, request, reason) => {
      const reader = await rawTfrecord.open([bytesSource(plain)]);
      const planned = reader.plan({ schema: parseSchemaText(text), ...request });
      await expect(planned).rejects.toMatchObject({ code: "schema-mismatch", reason });
    },
  );

  test("cannot be read if an unknown column is requested, even without a schema: `plan` rejects the request", async () => {
    const reader = await rawTfrecord.open([bytesSource(plain)]);
    const columns = [ColumnPath.of("raw_record"), ColumnPath.of("x")];
    await expect(reader.plan({ columns })).rejects.toMatchObject({
      reason: "unknown-column",
      columnPath: "x",
    });
  });

  test("are read in batches of the requested number of rows or bytes", async () => {
    const batches = await read({}, { batchSize: 2 });
    expect(batches.map(({ numRows }) => numRows)).toEqual([2, 2, 1]);
    expect(batches.flatMap((batch) => cells(batch, "raw_record").map(decoded))).toEqual(texts);
    expect((await read({}, { batchBytes: 30 })).map(({ numRows }) => numRows)).toEqual([3, 1, 1]);
  });

  test("that precede damage or a cut are read intact, then an error names the file; a cut between records is valid", async () => {
    const small = plain.subarray(0, 60);
    for (let at = 0; at < 60; at++) {
      const flipped = plain.slice();
      flipped[at]! ^= 0x40;
      for (const bytes of [flipped, small.subarray(0, at)]) {
        const reader = await rawTfrecord.open([bytesSource(bytes, "x.tfrecord")], {
          options: { compression: "none" },
        });
        const found: string[] = [];
        const readAll = async (): Promise<void> => {
          const plan = await reader.plan({ batchSize: 1 });
          for await (const batch of plan.read(plan.splits[0]!)) {
            found.push(...cells(batch, "raw_record").map(decoded));
          }
        };
        const error: unknown = await readAll().catch((reason: unknown) => reason);
        // The first two records end after 24 and 40 bytes. A file that ends there, or is empty, is valid.
        if (bytes !== flipped && [0, 24, 40].includes(at)) expect(error).toBeUndefined();
        else expect(error).toMatchObject({ uri: "x.tfrecord", code: expect.stringMatching(/-record$/) });
        expect(found).toEqual(texts.slice(0, [24, 40].filter((end) => end <= at).length));
      }
    }
  });

  test("cannot be read into two columns with the same name", async () => {
    const reader = await rawTfrecord.open([bytesSource(plain)]);
    await expect(reader.plan({ rawRecordColumn: "raw_record" })).rejects.toMatchObject({
      reason: "raw-column-collision",
    });
    const options = { recordIndexColumn: "raw_record" };
    await expect(rawTfrecord.open([bytesSource(plain)], { options })).rejects.toMatchObject({
      argument: "recordIndexColumn",
    });
  });

  test("in memory become the same columns as records of a file", async () => {
    const { batch } = (await decodeRecords(rawPayload, { options: { recordIndexColumn: "n" } })).decode(
      records,
    );
    expect(cells(batch, "raw_record").map(decoded)).toEqual(texts);
    expect(cells(batch, "n")).toEqual([0n, 1n, 2n, 3n, 4n]);
  });
});

describe("written raw records", () => {
  const batchOf = (name: string, values: readonly (string | null)[]): RecordBatch => {
    const vector = vectorFromArray(values, new Utf8());
    return recordBatchOf(new ArrowSchema([new Field(name, new Utf8(), true)]), values.length, [
      vector.data[0]!,
    ]);
  };
  const write = async (batch: RecordBatch, options: Partial<Options> = {}): Promise<Uint8Array> => {
    const target = memoryTarget("some.tfrecord");
    const writer = await rawTfrecord.createWriter(target, { arrowSchema: batch.schema, options });
    await writer.write(batch);
    await writer.finish();
    await target.commit();
    return target.bytes();
  };

  test("can come from a flat column of text", async () => {
    expect(await write(batchOf("raw_record", texts))).toEqual(plain);
    expect(await write(batchOf("text", texts), { recordColumn: "text" })).toEqual(plain);
  });

  test("must be text or bytes without nulls, and the record column must be the only column", async () => {
    await expect(write(batchOf("raw_record", ["a", null]))).rejects.toMatchObject({
      code: "not-convertible",
      reason: "null-value",
      row: 1,
    });
    await expect(write(batchOf("text", texts))).rejects.toMatchObject({ reason: "unlisted-feature" });
    const type = new Int64();
    const schema = new ArrowSchema([new Field("raw_record", type)]);
    const numbers = makeData({ type, length: 1, data: BigInt64Array.of(1n) });
    await expect(write(recordBatchOf(schema, 1, [numbers]))).rejects.toMatchObject({ reason: "value-type" });
    await expect(write(recordBatchOf(new ArrowSchema([]), 1, []))).rejects.toMatchObject({
      reason: "unknown-column",
    });
  });
});
