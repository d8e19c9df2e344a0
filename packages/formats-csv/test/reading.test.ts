import { describe, expect, test } from "@jest/globals";
import type { ReadProgress } from "@tfxio/format";
import { type CsvOptions, csv } from "@tfxio/formats-csv";
import { parseSchemaText } from "@tfxio/schema";
import { bytesSource, isTfxioError, Random } from "@tfxio/wire";
import { readCsv } from "./read-csv.js";

const rejection = async (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => null,
    (error: unknown) => error,
  );

describe("bad input", () => {
  const text = "n,s\n1,a\nx,b\n2\n3,c\n4,d,e\n5,f\n";
  const types = { n: "int" } as const;

  test("ends the read by default, with an error that states the file, record and byte", async () => {
    expect(await rejection(readCsv(text, { options: { types } }))).toMatchObject({
      code: "not-convertible",
      reason: "cell-value",
      columnPath: "n",
      row: 1,
      recordIndex: 1,
      byteOffset: 8,
      uri: "data.csv",
    });
    expect(await rejection(readCsv(text, { options: { types, onBadCell: "null" } }))).toMatchObject({
      code: "malformed-payload",
      reason: "column-count",
      recordIndex: 2,
      byteOffset: 12,
    });
  });

  test("is skipped and counted on request, even if no column is requested", async () => {
    for (const columns of [undefined, []]) {
      const reported: ReadProgress[] = [];
      const rows = await readCsv(text, {
        options: { types, onBadCell: "skip-row", onBadRow: "skip" },
        request: { columns },
        onProgress: (progress) => reported.push(progress),
      });
      expect(rows).toHaveLength(3);
      expect(reported.at(-1)).toMatchObject({ numRows: 3, numSkipped: 3, position: { row: 6 } });
    }
  });

  test('in a cell becomes null with `onBadCell: "null"`', async () => {
    const rows = await readCsv("n,f\n1,2\nx,y\n,4\n", {
      options: { types: { n: "int", f: "float" }, onBadCell: "null" },
    });
    expect(rows).toEqual([
      { n: [1], f: [2] },
      { n: null, f: null },
      { n: null, f: [4] },
    ]);
  });

  test("in a cell causes an error that suggests full inference if the type was inferred from a sample", async () => {
    const long = `a\n${`1${" ".repeat(999)}\n`.repeat(4_500)}1.5\n`;
    expect(await rejection(readCsv(long))).toMatchObject({
      code: "not-convertible",
      message: expect.stringContaining('set infer to "full"'),
    });
  });
});

describe("headers", () => {
  test("with empty or repeated names get numbered names on request", async () => {
    const rows = await readCsv("a,,a,a_2\n1,2,3,4\n", { options: { onBadName: "number" } });
    expect(rows).toEqual([{ a: [1], column_2: [2], a_3: [3], a_2: [4] }]);
  });

  test("with 50,000 equal names get unique numbered names on request", async () => {
    const header = Array.from({ length: 50_000 }, () => "a").join();
    const source = bytesSource(new TextEncoder().encode(`${header}\n`), "wide.csv");
    const reader = await csv.open([source], { options: { onBadName: "number" } });
    const { arrowSchema } = await reader.plan();
    expect(arrowSchema?.names.slice(0, 3)).toEqual(["a", "a_2", "a_3"]);
    expect(new Set(arrowSchema?.names).size).toBe(50_000);
  });

  test("with more columns than the limit are rejected, unless a schema names the columns to read", async () => {
    const source = bytesSource(new TextEncoder().encode("a,b,c\n1,2,3\n"), "wide.csv");
    const reader = await csv.open([source], { limits: { maxColumns: 2 } });
    expect(await rejection(reader.plan())).toMatchObject({ code: "limit-exceeded", reason: "column-count" });
    const schema = parseSchemaText('feature { name: "c" type: INT }');
    expect((await reader.plan({ schema })).arrowSchema?.names).toEqual(["c"]);
  });

  test("may follow a byte order mark, lines to skip, comments and blank lines", async () => {
    const rows = await readCsv('\uFEFFmade in 2024\r\n# note\r\n\r\n"a",b\r\n1,2\r\n', {
      options: { skipLines: 1, comment: "#" },
    });
    expect(rows).toEqual([{ a: [1], b: [2] }]);
  });

  test("longer than the metadata limit are rejected", async () => {
    const source = bytesSource(new TextEncoder().encode(`${"x".repeat(200_000)}\n1\n`), "long.csv");
    const reader = await csv.open([source], { limits: { maxMetadataBytes: 100_000 } });
    expect(await rejection(reader.plan())).toMatchObject({
      code: "limit-exceeded",
      reason: "metadata-length",
    });
  });
});

describe("null markers", () => {
  const text = 'a,b\n,""\nNA,"NA"\nx,y\n';

  test("match only empty cells by default, quoted or not", async () => {
    expect(await readCsv(text)).toEqual([
      { a: null, b: null },
      { a: ["NA"], b: ["NA"] },
      { a: ["x"], b: ["y"] },
    ]);
  });

  test("need not be empty; with `quotedNulls: false`, they match no quoted cell", async () => {
    expect(await readCsv(text, { options: { nullMarkers: ["", "NA"], quotedNulls: false } })).toEqual([
      { a: null, b: [""] },
      { a: null, b: ["NA"] },
      { a: ["x"], b: ["y"] },
    ]);
  });
});

// pyarrow 26.0.1 with escape_char reads the same rows. Python's csv with doublequote differs: it treats an escape character right
// after the closing quote as ordinary text.
test.each([
  ['"x"\\;;1\n', [["x;", "1"]]],
  ['"x"a\\;b;1\n', [["xa;b", "1"]]],
  ['"x"\\"y";1\n', [['x"y"', "1"]]],
  ['"x"\\\n1;y\n', [["x\n1", "y"]]],
])(
  "an escape character after the closing quote still escapes the next character in %j",
  async (text, expected) => {
    const columnNames = ["a", "b"];
    for (const doubledQuote of [true, false]) {
      const types = { a: "bytes", b: "bytes" } as const;
      const options = { columnNames, types, delimiter: ";", escape: "\\", doubledQuote };
      const rows = await readCsv(text, { options });
      expect(rows).toEqual(expected.map(([a, b]) => ({ a: [a], b: [b] })));
    }
  },
);

test("a record that spans many chunks is read, and a record above the size limit is rejected", async () => {
  const cell = `${"many lines\n".repeat(400_000)}""quoted""`;
  const rows = await readCsv(`a,b\n1,"${cell}"\n`);
  expect(rows).toEqual([{ a: [1], b: [cell.replaceAll('""', '"')] }]);
  const source = bytesSource(new TextEncoder().encode(`a\n${"x".repeat(2_000)}\n`), "long.csv");
  const reader = await csv.open([source], {
    limits: { maxRecordBytes: 1_000 },
    options: { types: { a: "bytes" } },
  });
  const plan = await reader.plan();
  const read = async () => {
    for await (const _ of plan.read(plan.splits[0]!));
  };
  expect(await rejection(read())).toMatchObject({ code: "limit-exceeded", reason: "record-length" });
});

describe("the CSV reader", () => {
  test("rejects a position past the end", async () => {
    const reader = await csv.open([bytesSource(new TextEncoder().encode("a\n1\n2\n"), "short.csv")]);
    const plan = await reader.plan();
    const read = async (row: number): Promise<number> => {
      let numRows = 0;
      for await (const batch of plan.read(plan.splits[0]!, { from: { row } })) numRows += batch.numRows;
      return numRows;
    };
    expect(await read(2)).toBe(0);
    expect(await rejection(read(3))).toMatchObject({ code: "invalid-argument", reason: "behind-end" });
  });

  test("rejects full inference on a stream, which can be read only once", async () => {
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode("a\n1\n");
    };
    const reader = await csv.openStream!(bytes(), { options: { infer: "full" } });
    expect(await rejection(reader.plan())).toMatchObject({
      code: "unsupported",
      reason: "full-inference",
      message: expect.stringContaining(
        'Column "a" has no type, and the option `infer: "full"` cannot find one, because',
      ),
    });
    await reader.close();
  });

  test("allows full inference on a stream if no type has to be inferred", async () => {
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode("a\n1\n");
    };
    const reader = await csv.openStream!(bytes(), { options: { infer: "full", types: { a: "bytes" } } });
    const plan = await reader.plan();
    let numRows = 0;
    for await (const batch of plan.read(plan.splits[0]!)) numRows += batch.numRows;
    expect(numRows).toBe(1);
    await reader.close();
  });
});

test("splits of different sizes yield the same rows, even if cells contain line breaks", async () => {
  const random = Random.of(3, 0);
  for (let round = 0; round < 40; round++) {
    const multiline = round % 2 === 0;
    const end = ["\n", "\r\n", "\r"][random.below(3)] as string;
    const cell = (): string => {
      const text = ["", "x", "12", "é", "a b"][random.below(5)] as string;
      if (random.below(3) > 0) return text;
      return `"${text}${multiline ? end : ","}${random.below(2) === 0 ? '""' : ""}"`;
    };
    const lines = Array.from({ length: random.below(40) }, () => {
      return random.below(8) === 0 ? ["", '# "note'][random.below(2)] : `${cell()},${cell()}`;
    });
    const text = ["a,b", ...lines].join(end) + (random.below(2) === 0 ? end : "");
    const options: Partial<CsvOptions> = { multiline, comment: "#", types: { a: "bytes", b: "bytes" } };
    const whole = await readCsv(text, { options });
    for (const splitBytes of [1, 3, 7, 40]) {
      expect(await readCsv(text, { options, request: { splitBytes } })).toEqual(whole);
    }
  }
});

test("a damaged file yields rows or a TfxioError, and only the last row of a truncated file may be wrong", async () => {
  const bytes = new TextEncoder().encode('id,price,note\n1,2.5,"a ""b"""\n2,,"two\nlines"\r\n-3,1e3,c\n');
  const options: Partial<CsvOptions> = { types: { id: "int", price: "float", note: "bytes" } };
  const all = await readCsv(bytes, { options });
  for (let at = 0; at < bytes.length; at++) {
    const rows = await readCsv(bytes.subarray(0, at), { options }).catch((error: unknown) => {
      expect(isTfxioError(error)).toBe(true);
      return [];
    });
    // The last row of a truncated file may itself be truncated.
    expect(rows.slice(0, -1)).toEqual(all.slice(0, Math.max(0, rows.length - 1)));
    for (const bit of [0x01, 0x10, 0x20]) {
      const changed = bytes.slice();
      changed[at] = (changed[at] as number) ^ bit;
      const error = await rejection(readCsv(changed, { options }));
      expect(error === null || isTfxioError(error)).toBe(true);
    }
  }
});
