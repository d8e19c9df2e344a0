import { describe, expect, test } from "@jest/globals";
import { deflateSync, gzipSync } from "node:zlib";
import { plainRows } from "@tfxio/arrow-encoding";
import { type CsvOptions, csv, tsv } from "@tfxio/formats-csv";
import { parseSchemaText } from "@tfxio/schema";
import { bytesSource } from "@tfxio/wire";

/** Returns the rows that a read yields in batches of one row, the error that ends it, and the types of the columns. */
async function readUntilError(
  contents: readonly Uint8Array[],
  options: Partial<CsvOptions> = {},
): Promise<{ rows: object[]; error: unknown; types: Record<string, string> }> {
  const rows: object[] = [];
  let types = {};
  try {
    const sources = contents.map((bytes, index) => bytesSource(bytes, `${index}.csv.gz`));
    const plan = await (await csv.open(sources, { options })).plan({ batchBytes: 1 });
    types = Object.fromEntries(plan.arrowSchema!.fields.map(({ name, type }) => [name, String(type)]));
    for (const split of plan.splits) {
      for await (const batch of plan.read(split)) rows.push(...plainRows(batch));
    }
    return { rows, error: undefined, types };
  } catch (error) {
    return { rows, error, types };
  }
}

/** Compresses the text into a gzip stream and cuts off its trailer, so that all of the text precedes the cut. */
function cutAfter(text: string): Uint8Array {
  // Level 0 stores the text in one block: 10 bytes of header, 5 bytes of block header, then the text.
  return gzipSync(text, { level: 0 }).subarray(0, 15 + Buffer.byteLength(text));
}

const TRUNCATED = { code: "truncated-record", reason: "gzip-truncated", uri: "0.csv.gz" };
const CORRUPT = { code: "corrupt-record", reason: "gzip", uri: "0.csv.gz" };
const INT = "List<Int64>";

describe("a damaged gzip file", () => {
  test("that is cut off yields the complete rows before the cut, then an error", async () => {
    const { rows, error } = await readUntilError([cutAfter("n,s\n1,a\n2,b\n3,c")]);
    expect(rows).toEqual([
      { n: [1], s: ["a"] },
      { n: [2], s: ["b"] },
    ]);
    expect(error).toMatchObject(TRUNCATED);
  });

  test("that is cut off at any byte yields its first rows unchanged, then an error", async () => {
    const text = `n,s\n${Array.from({ length: 40 }, (_, row) => `${row},"${row * row}\n"\n`).join("")}`;
    const whole = gzipSync(text);
    const all = (await readUntilError([whole])).rows;
    expect(all).toHaveLength(40);
    for (let length = 0; length < whole.length; length++) {
      const { rows, error } = await readUntilError([whole.subarray(0, length)], {
        compression: "gzip",
      });
      expect(error).toMatchObject(TRUNCATED);
      expect(rows).toEqual(all.slice(0, rows.length));
    }
  });

  test("that is cut off soon after a long row yields that row", async () => {
    // The second row is longer than a chunk of decompressed input, so the reader waits for more bytes before it parses the row.
    const text = `n,s\n1,a\n2,${"b".repeat(1_200_000)}\n3,c\n`;
    const { rows, error } = await readUntilError([gzipSync(text, { level: 0 }).subarray(0, -8)]);
    expect(rows.map((row) => (row as { readonly n: readonly number[] }).n[0])).toEqual([1, 2, 3]);
    expect(error).toMatchObject(TRUNCATED);
  });

  test("that is cut off within a quoted cell yields the rows before the cell", async () => {
    const { rows, error } = await readUntilError([cutAfter('n,s\n1,a\n2,"b\nc')]);
    expect(rows).toEqual([{ n: [1], s: ["a"] }]);
    expect(error).toMatchObject(TRUNCATED);
  });

  test("that is cut off within its CSV header yields only an error", async () => {
    for (const text of ["", "n,s", 'n,"s\n1,2\n']) {
      const { rows, error } = await readUntilError([cutAfter(text)]);
      expect(rows).toEqual([]);
      expect(error).toMatchObject(TRUNCATED);
    }
  });

  test("with a wrong checksum yields all rows, then an error", async () => {
    const wrong = gzipSync("n\n1\n2\n");
    wrong[wrong.length - 8]! ^= 1;
    const { rows, error } = await readUntilError([wrong]);
    expect(rows).toEqual([{ n: [1] }, { n: [2] }]);
    expect(error).toMatchObject(CORRUPT);
  });

  test("with other bytes after its gzip data yields all rows, then an error", async () => {
    const { rows, error } = await readUntilError([
      Buffer.concat([gzipSync("n\n1\n2\n"), Buffer.from("no gzip data")]),
    ]);
    expect(rows).toEqual([{ n: [1] }, { n: [2] }]);
    expect(error).toMatchObject(CORRUPT);
  });

  test("does not let its last, incomplete row decide a type", async () => {
    // The incomplete cell may have been 3.5 or 3.txt.
    const { rows, types } = await readUntilError([cutAfter("n\n1\n2\n3.")]);
    expect(types).toEqual({ n: INT });
    expect(rows).toEqual([{ n: [1] }, { n: [2] }]);
  });

  test("lets the files after it decide a type", async () => {
    const { types, rows, error } = await readUntilError([cutAfter("n\n1\n2\n"), gzipSync("n\n2.5\n")]);
    expect(types).toEqual({ n: "List<Float32>" });
    expect(rows).toEqual([{ n: [1] }, { n: [2] }]);
    expect(error).toMatchObject(TRUNCATED);
  });

  test('yields only an error if `infer` is "full", because inference then needs all rows', async () => {
    const { rows, error, types } = await readUntilError([cutAfter("n\n1\n2\n")], { infer: "full" });
    expect([rows, types]).toEqual([[], {}]);
    expect(error).toMatchObject(TRUNCATED);
  });
});

test("a zlib file that is cut off yields the complete rows before the cut, then an error", async () => {
  const text = "n\n1\n2\n3";
  // A zlib stream has 2 bytes of header.
  const cut = deflateSync(text, { level: 0 }).subarray(0, 7 + text.length);
  const { rows, error } = await readUntilError([cut], { compression: "zlib" });
  expect(rows).toEqual([{ n: [1] }, { n: [2] }]);
  expect(error).toMatchObject({ code: "truncated-record", reason: "zlib-truncated" });
});

describe("the check for CSV text", () => {
  const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, "utf16le");
  const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");
  const utf32 = latin1("\xff\xfe\0\0a\0\0\0\n\0\0\0");
  // The 3-byte record "abc", as tf.io.TFRecordWriter writes it.
  const tfrecord = Buffer.from("0300000000000000b099490e6162636e57f121", "hex");

  test.each([
    [
      "UTF-16 text",
      utf16("a,b\n1,2\n"),
      /begins like UTF-16 text, expected text in UTF-8; save it as UTF-8\.$/,
    ],
    ["big-endian UTF-16 text", Buffer.from(utf16("a,b\n1,2\n")).swap16(), /begins like UTF-16 text/],
    ["UTF-32 text", utf32, /begins like UTF-32 text/],
    ["big-endian UTF-32 text", Buffer.from(utf32).swap32(), /begins like UTF-32 text/],
    [
      "Parquet",
      latin1("PAR1\x15\x04\x15\x20"),
      /begins like a Parquet file.*; choose its format with the option `format`, or convert it/,
    ],
    ["an Arrow file", latin1("ARROW1\0\0\xff\xff\xff\xff"), /begins like an Arrow file/],
    ["an Arrow stream", latin1("\xff\xff\xff\xff\x70\0\0\0"), /begins like an Arrow stream/],
    ["Avro", latin1("Obj\x01\x04\x16avro.schema"), /begins like an Avro file/],
    ["an Excel workbook", latin1("PK\x03\x04\x14\0"), /begins like a zip archive.*; save the table as CSV/],
    ["TFRecord", tfrecord, /begins like a TFRecord file/],
  ])("rejects a file that begins like %s", async (_, bytes, message) => {
    const schema = parseSchemaText('feature { name: "a" type: INT }');
    for (const format of [csv, tsv]) {
      for (const stored of [bytes, gzipSync(bytes)]) {
        for (const request of [{}, { schema }]) {
          for (const options of [{}, { columnNames: ["a"] }]) {
            const plan = (await format.open([bytesSource(stored, "data.csv")], { options })).plan(request);
            const firstBatch = plan.then(async (made) =>
              made.read(made.splits[0]!)[Symbol.asyncIterator]().next(),
            );
            await expect(firstBatch).rejects.toMatchObject({
              code: "malformed-payload",
              reason: "not-csv-text",
              uri: "data.csv",
              byteOffset: 0,
              message: expect.stringMatching(message),
            });
          }
        }
      }
    }
  });

  test("accepts a CSV file whose first column name is like the start of a binary format", async () => {
    for (const name of ["PAR1", "PARENT", "ARROW1", "Obj", "PK", "ORC"]) {
      expect((await readUntilError([Buffer.from(`${name},b\n1,2\n`)])).rows).toEqual([
        { [name]: [1], b: [2] },
      ]);
    }
  });
});
