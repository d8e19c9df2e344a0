import { describe, expect, test } from "@jest/globals";
import { gzipSync } from "node:zlib";
import { encodeExample } from "@tfxio/arrow-encoding";
import { verify } from "@tfxio/io";
import { parseSchemaText } from "@tfxio/schema";
import { bytesSource, encodeTfRecords } from "@tfxio/wire";

const numRecords = 10_000;
const examples = Array.from({ length: numRecords }, (_, id) =>
  encodeExample({ id: { kind: "int64", values: [id] } }),
);
const plain = await encodeTfRecords(examples);
/** Byte offset of each record. A record has a header of 12 bytes, and a checksum of 4 bytes after its payload. */
const offsets = [0];
for (const { length } of examples) offsets.push((offsets.at(-1) ?? 0) + length + 16);
const gzip = gzipSync(plain);
const flipped = (at: number): Uint8Array => {
  const bytes = plain.slice();
  bytes[at]! ^= 1;
  return bytes;
};
const named = (name: string, bytes: Uint8Array) => bytesSource(bytes, `${name}.tfrecord`);

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

  test("names the record and byte of the first damage in each file, and continues with the other files", async () => {
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

  test("with drift, lists the columns that a file lacks, adds, or stores with a different type", async () => {
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

  test("with drift, compares tables by their stored types", async () => {
    const csv = (name: string, text: string) => bytesSource(new TextEncoder().encode(text), `${name}.csv`);
    const { files } = await verify([csv("a", "x,y\n1,2\n"), csv("b", "x,y\n1,z\n")], { drift: true });
    expect(files[1]!.drift).toMatchObject([{ name: "y", field: "type", left: "INT", right: "BYTES" }]);
  });
});
