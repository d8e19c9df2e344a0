import { describe, expect, test } from "@jest/globals";
import { gzipSync } from "node:zlib";
import { encodeExample } from "@tfxio/arrow-encoding";
import { verify, writeTfxio } from "@tfxio/io";
import { parseSchemaText } from "@tfxio/schema";
import { bytesSource, encodeTfRecords, memoryTarget } from "@tfxio/wire";
import { type DataType, Field, Int64, type RecordBatch, Schema as ArrowSchema, Utf8 } from "apache-arrow";

const numRecords = 10_000;
const examples = Array.from({ length: numRecords }, (_, id) =>
  encodeExample({ id: { kind: "int64", values: [id] } }),
);
const plain = await encodeTfRecords(examples);
/** Byte offset of each record and of the end. A record has a 12-byte header, and a 4-byte checksum after its payload. */
const offsets = [0];
for (const { length } of examples) offsets.push((offsets.at(-1) ?? 0) + length + 16);
const gzip = gzipSync(plain);
const flipped = (at: number): Uint8Array => {
  const bytes = plain.slice();
  bytes[at]! ^= 1;
  return bytes;
};
const named = (name: string, bytes: Uint8Array) => bytesSource(bytes, `${name}.tfrecord`);
const utf8 = (content: string): Uint8Array => new TextEncoder().encode(content);

/** A row of a file whose column `age` may be null. */
interface Row {
  readonly id: number;
  readonly age: number | string | null;
}

describe("verify", () => {
  test("counts the records and bytes of undamaged files, compressed or not", async () => {
    expect(await verify([named("plain", plain), named("gzip", gzip)])).toEqual({
      files: [
        {
          uri: "plain.tfrecord",
          format: "tfrecord",
          numRows: numRecords,
          numSkipped: 0,
          numBytes: plain.length,
        },
        {
          uri: "gzip.tfrecord",
          format: "tfrecord",
          numRows: numRecords,
          numSkipped: 0,
          numBytes: plain.length,
        },
      ],
      numDamaged: 0,
      numDrifted: 0,
      numRows: 2 * numRecords,
      numBytes: 2 * plain.length,
    });
  });

  test("names the record and byte at which the damage of each file begins, and continues with the other files", async () => {
    const [record, other] = [5001, 7];
    const { files, numDamaged } = await verify([
      named("payload", flipped(offsets[record]! + 13)),
      named("length", flipped(offsets[other]! + 1)),
      named("short", plain.subarray(0, offsets[record]! + 5)),
      named("sound", plain),
    ]);
    expect(numDamaged).toBe(3);
    const until = (count: number) => ({ numRows: count, numBytes: offsets[count] });
    expect(files).toMatchObject([
      {
        ...until(record),
        damage: {
          code: "corrupt-record",
          reason: "payload-crc",
          recordIndex: record,
          byteOffset: offsets[record],
        },
      },
      {
        ...until(other),
        damage: {
          code: "corrupt-record",
          reason: "length-crc",
          recordIndex: other,
          byteOffset: offsets[other],
        },
      },
      {
        ...until(record),
        damage: {
          code: "truncated-record",
          reason: "record-header",
          recordIndex: record,
          byteOffset: offsets[record],
        },
      },
      { ...until(numRecords) },
    ]);
    expect(files[3]!.damage).toBeUndefined();
    expect(JSON.parse(JSON.stringify(files))).toEqual(files);
  });

  test("counts the complete records before the end of a truncated gzip file", async () => {
    const [file] = (await verify(named("cut", gzip.subarray(0, gzip.length >> 1)))).files;
    expect(file).toMatchObject({ damage: { code: "truncated-record", reason: "gzip-truncated" } });
    expect(file!.numRows).toBeGreaterThan(100);
    expect(file!.numBytes).toBe(offsets[file!.numRows]);
    // The inflated bytes end within the next record.
    expect(file!.damage!.byteOffset).toBeLessThan(offsets[file!.numRows + 1]!);
  });

  test("reports unknown formats, records that are not Examples, and violations of a schema", async () => {
    const text = await encodeTfRecords([examples[0]!, new TextEncoder().encode("no Example")]);
    const schema = parseSchemaText('feature { name: "id" type: BYTES }');
    expect((await verify(bytesSource(Uint8Array.of(1, 2, 3), "what"))).files).toMatchObject([
      { uri: "what", numRows: 0, damage: { code: "unknown-format", reason: "undetected" } },
    ]);
    expect((await verify(named("text", text))).files).toMatchObject([
      { numRows: 1, numSkipped: 0, damage: { code: "malformed-payload", recordIndex: 1 } },
    ]);
    expect(
      (await verify(named("text", text), { formatOptions: { onMalformed: "skip" } })).files,
    ).toMatchObject([{ numRows: 1, numSkipped: 1 }]);
    expect((await verify(named("text", text), { format: "tfrecord-raw" })).numDamaged).toBe(0);
    expect((await verify(named("plain", plain), { schema })).files).toMatchObject([
      { damage: { code: "schema-mismatch", reason: "wrong-kind", recordIndex: 0 } },
    ]);
    expect((await verify(named("plain", plain), { columns: [] })).numRows).toBe(numRecords);
  });

  test("reports progress, and ends when the signal aborts or a callback throws", async () => {
    const seen: unknown[] = [];
    await verify([named("one", plain), named("two", plain)], {
      onProgress: ({ uri, numFiles }) => void seen.push(`${uri} ${numFiles}`),
    });
    expect(new Set(seen)).toEqual(new Set(["one.tfrecord 0", "two.tfrecord 1"]));
    const controller = new AbortController();
    const reason = { enough: true };
    const aborted = verify(named("one", plain), {
      signal: controller.signal,
      onProgress: () => controller.abort(reason),
    });
    await expect(aborted).rejects.toBe(reason);
    const onProgress = (): never => {
      throw new RangeError("mine");
    };
    await expect(verify(named("one", plain), { onProgress })).rejects.toMatchObject({
      code: "user-function",
    });
  });

  test("rejects invalid arguments", async () => {
    const wrong = { columns: 3 } as unknown as { columns: [] };
    await expect(verify(plain, wrong)).rejects.toMatchObject({
      code: "invalid-argument",
      argument: "columns",
    });
    await expect(verify(plain, { format: "nothing" })).rejects.toMatchObject({ code: "unknown-format" });
    await expect(verify("no-such-file.tfrecord")).rejects.toMatchObject({ code: "not-found" });
  });

  test("with the `drift` option lists the columns that a file lacks, adds, or stores with a different type", async () => {
    const file = async (name: string, ...rows: Parameters<typeof encodeExample>[0][]) =>
      named(name, await encodeTfRecords(rows.map((row) => encodeExample(row))));
    const int = (...values: number[]) => ({ kind: "int64", values }) as const;
    const sources = [
      named("damaged", flipped(13)),
      await file("first", { id: int(1), age: int(2) }),
      await file("same", { id: int(1), age: int(2, 3) }, { id: int(2) }),
      await file("other", { id: { kind: "float", values: [1] }, city: int(1) }),
    ];
    const { files, numDrifted, numDamaged } = await verify(sources, { drift: true });
    expect([numDamaged, numDrifted]).toEqual([1, 1]);
    expect(files.map(({ drift }) => drift?.length)).toEqual([undefined, undefined, undefined, 3]);
    expect(files[3]!.drift).toMatchObject([
      { element: "feature", name: "age", left: { type: "INT" } },
      { element: "feature", name: "id", field: "type", left: "INT", right: "FLOAT" },
      { element: "feature", name: "city", right: { type: "INT" } },
    ]);
    expect((await verify(sources)).numDrifted).toBe(0);
  });

  test("with the `drift` option compares the column types of CSV files", async () => {
    const csv = (name: string, text: string) => bytesSource(new TextEncoder().encode(text), `${name}.csv`);
    const { files } = await verify([csv("a", "x,y\n1,2\n"), csv("b", "x,y\n1,z\n")], { drift: true });
    expect(files[1]!.drift).toMatchObject([{ name: "y", field: "type", left: "INT", right: "BYTES" }]);
  });

  test.each<[string, (rows: readonly Row[]) => Promise<Uint8Array>]>([
    [
      "csv",
      async (rows) => utf8(["id,age", ...rows.map(({ id, age }) => `${id},${age ?? ""}`), ""].join("\n")),
    ],
    ["jsonl", async (rows) => utf8(rows.map((row) => `${JSON.stringify(row)}\n`).join(""))],
    [
      "tfrecord",
      (rows) =>
        encodeTfRecords(
          rows.map(({ id, age }) =>
            encodeExample({
              id: { kind: "int64", values: [id] },
              age:
                age === null
                  ? null
                  : typeof age === "number"
                    ? { kind: "int64", values: [age] }
                    : { kind: "bytes", values: [age] },
            }),
          ),
        ),
    ],
  ])(
    "with the `drift` option reports no drift for %s files that have no rows, or only nulls in a column",
    async (id, fileOf) => {
      const files: readonly (readonly Row[])[] = [
        [],
        [{ id: 1, age: null }],
        [],
        [{ id: 2, age: 30 }],
        [{ id: 3, age: null }],
        [{ id: 4, age: "thirty" }],
      ];
      const sources = await Promise.all(
        files.map(async (rows, index) => bytesSource(await fileOf(rows), `${index}.${id}`)),
      );
      const report = await verify(sources, { drift: true });
      expect(report).toMatchObject({ numDamaged: 0, numRows: 4 });
      // The first file that has values in a column determines the type of the column.
      expect(report.files.map(({ drift }) => drift)).toEqual([
        ...Array.from({ length: 5 }, () => undefined),
        [{ element: "feature", name: "age", field: "type", left: "INT", right: "BYTES" }],
      ]);
    },
  );

  test("with the `drift` option reports no drift for a struct field that is null in every row of a file", async () => {
    const json = (name: string, line: string) => bytesSource(utf8(`${line}\n`), `${name}.jsonl`);
    const sources = [
      json("a", '{"user": {"id": 1, "age": null}}'),
      json("b", '{"user": {"id": 1, "age": 2}}'),
      json("c", '{"user": {"id": 1, "age": 2.5, "city": "Oslo"}}'),
      json("d", '{"user": null}'),
    ];
    const { files } = await verify(sources, { drift: true });
    expect(files.map(({ drift }) => drift?.map(({ name, field }) => [name, field]))).toEqual([
      undefined,
      undefined,
      [
        ["user.age", "type"],
        ["user.city", undefined],
      ],
      undefined,
    ]);
  });

  test("with the `drift` option compares the types that a file without rows declares", async () => {
    const file = async (name: string, type: DataType, rows: readonly RecordBatch[] = []) => {
      const target = memoryTarget();
      const arrowSchema = new ArrowSchema([new Field("x", type, true)]);
      await writeTfxio(rows, { ...target, uri: name }, { arrowSchema });
      return bytesSource(target.bytes(), name);
    };
    for (const extension of ["parquet", "arrow", "avro"]) {
      const { files } = await verify(
        [
          await file(`a.${extension}`, new Int64()),
          await file(`b.${extension}`, new Int64()),
          await file(`c.${extension}`, new Utf8()),
        ],
        { drift: true },
      );
      expect(files.map(({ damage, drift }) => [damage, drift])).toEqual([
        [undefined, undefined],
        [undefined, undefined],
        [undefined, [{ element: "feature", name: "x", field: "type", left: "INT", right: "BYTES" }]],
      ]);
    }
  });

  test("reads an empty file without a known extension in the format of the other files", async () => {
    const empty = bytesSource(new Uint8Array(0), "data-0");
    const report = await verify([empty, bytesSource(gzipSync(""), "data-1"), bytesSource(gzip, "data-2")]);
    expect(report).toMatchObject({ numDamaged: 0, numRows: numRecords });
    expect(report.files.map(({ uri, format, numRows }) => [uri, format, numRows])).toEqual([
      ["data-0", "tfrecord", 0],
      ["data-1", "tfrecord", 0],
      ["data-2", "tfrecord", numRecords],
    ]);
    // An Avro file has at least a header.
    const avro = bytesSource(new TextEncoder().encode("Obj\x01"), "data-3");
    expect((await verify([empty, avro])).files).toMatchObject([
      { format: "avro", damage: { code: "corrupt-record", reason: "framing" } },
      { format: "avro", damage: { code: "truncated-record" } },
    ]);
    const unknown = bytesSource(Uint8Array.of(1, 2, 3), "what");
    expect((await verify([empty, unknown])).files).toMatchObject([
      { damage: { code: "unknown-format", message: expect.stringContaining("data-0 ") } },
      { damage: { code: "unknown-format", message: expect.stringContaining("what ") } },
    ]);
  });
});
