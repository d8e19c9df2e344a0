import { describe, expect, test } from "@jest/globals";
import { toListColumns } from "@tfxio/arrow-encoding";
import { isTfxioError, memoryTarget } from "@tfxio/wire";
import {
  Binary,
  Bool,
  type Data,
  DataType,
  DateDay,
  Decimal,
  DurationSecond,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int32,
  Int64,
  List,
  makeData,
  Null,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
  TimestampMillisecond,
  Uint64,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { writeCsv } from "../src/encode.js";
import { CSV_WRITE_DEFAULTS, type CsvEncodeOptions } from "../src/encode-options.js";

const defaults: CsvEncodeOptions = {
  ...CSV_WRITE_DEFAULTS,
  skipBlankLines: true,
  delimiter: ",",
  quote: '"',
  doubledQuote: true,
  escape: null,
  comment: null,
  multiline: true,
  nullMarkers: [""],
  multivalentColumns: [],
  secondaryDelimiter: null,
  compression: "auto",
};

type Column = readonly [type: DataType, values: readonly unknown[]];

function batchOf(columns: Readonly<Record<string, Column>>): RecordBatch {
  const children = Object.values(columns).map(
    ([type, values]): Data =>
      DataType.isNull(type)
        ? makeData({ type, length: values.length })
        : (vectorFromArray(values as never, type).data[0] as Data),
  );
  const fields = Object.keys(columns).map((name, index) => new Field(name, children[index]!.type, true));
  const length = children[0]?.length ?? 0;
  return new RecordBatch(
    new ArrowSchema(fields),
    makeData({ type: new Struct(fields), length, nullCount: 0, children }),
  );
}

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

const listOf = (type: DataType): List => new List(new Field("item", type, true));

async function written(
  batches: RecordBatch | readonly RecordBatch[],
  options: Partial<CsvEncodeOptions> = {},
): Promise<string> {
  const all: RecordBatch[] = [batches].flat();
  const target = memoryTarget("out.csv");
  const writer = writeCsv(target, {
    arrowSchema: all[0]!.schema,
    options: { ...defaults, ...options },
  });
  for (const batch of all) await writer.write(batch);
  await writer.finish();
  await target.commit();
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(target.bytes());
}

/** Writes `column` to the left of a column of zeros, without a header. Returns the texts of the cells of `column`. */
async function cellsOf(column: Column, options: Partial<CsvEncodeOptions> = {}): Promise<string[]> {
  const beside: Column = [new Int32(), column[1].map(() => 0)];
  const text = await written(batchOf({ x: column, beside }), { header: false, lineEnd: "\n", ...options });
  return text.split(",0\n").slice(0, -1);
}

describe("the CSV writer", () => {
  test("writes a header, commas between cells, and CRLF after each record, as in RFC 4180", async () => {
    const batch = batchOf({ aaa: [new Int32(), [1, 2]], bbb: [new Utf8(), ["x", "y z"]] });
    expect(await written(batch)).toBe("aaa,bbb\r\n1,x\r\n2,y z\r\n");
  });

  test("quotes cells that contain quotes, commas or line breaks, and doubles the quotes inside", async () => {
    const texts = ["aaa", 'b "b" b', "b\r\nbb", "b,b", "a\rb", "a\nb", " padded ", '"', "'", "; | \t"];
    expect(await cellsOf([new Utf8(), texts])).toEqual([
      "aaa",
      '"b ""b"" b"',
      '"b\r\nbb"',
      '"b,b"',
      '"a\rb"',
      '"a\nb"',
      " padded ",
      '""""',
      "'",
      "; | \t",
    ]);
  });

  test("quotes column names that contain quotes or commas, or are empty", async () => {
    expect(
      await written(
        batchOf({ 'a"b': [new Int32(), [1]], "c,d": [new Int32(), [2]], "": [new Int32(), [3]] }),
      ),
    ).toBe('"a""b","c,d",""\r\n1,2,3\r\n');
  });

  test("accepts other delimiters and quote characters, and quotes numbers that contain the delimiter", async () => {
    const batch = batchOf({ "a;b": [new Float64(), [1.5]], c: [new Utf8(), ["it's"]] });
    expect(await written(batch, { delimiter: ";", quote: "'", lineEnd: "\n" })).toBe(
      "'a;b';c\n1.5;'it''s'\n",
    );
    expect(await written(batch, { delimiter: ".", lineEnd: "\n" })).toBe(`a;b.c\n"1.5".it's\n`);
  });

  test("writes all rows of batches and slices, or only the header if there is no batch", async () => {
    const batch = batchOf({ x: [new Int32(), [1, 2, 3]], y: [listOf(new Utf8()), [["a"], ["b"], null]] });
    expect(await written([batch.slice(1, 3), batch.slice(0, 1)])).toBe("x,y\r\n2,b\r\n3,\r\n1,a\r\n");
    const target = memoryTarget("none.csv");
    const writer = writeCsv(target, { arrowSchema: batch.schema, options: defaults });
    await writer.finish();
    await target.commit();
    expect(new TextDecoder().decode(target.bytes())).toBe("x,y\r\n");
  });

  test("keeps and quotes a column name that begins with a byte order mark", async () => {
    expect(await written(batchOf({ "\uFEFFx": [new Int32(), [1]] }), { lineEnd: "\n" })).toBe(
      '"\uFEFFx"\n1\n',
    );
  });

  test("writes every row of a file of more than one chunk, including a cell larger than a chunk", async () => {
    const texts = Array.from({ length: 5000 }, (_, row) =>
      row === 77 ? "é,".repeat(400_000) : `row ${row}`,
    );
    const text = await written(batchOf({ x: [new Utf8(), texts] }), { header: false });
    expect(text).toBe(
      texts
        .map((cell) => (cell.includes(",") ? `"${cell}"` : cell))
        .join("\r\n")
        .concat("\r\n"),
    );
  });
});

describe("with dialect options,", () => {
  test("quotes in cells are doubled, escaped or rejected, as the options doubledQuote and escape determine", async () => {
    const texts = ['q"', "back\\slash", "a,b"];
    // Matches Python's csv.writer with escapechar and QUOTE_ALL, for these texts.
    expect(await cellsOf([new Utf8(), texts], { escape: "\\", doubledQuote: false })).toEqual([
      '"q\\""',
      '"back\\\\slash"',
      '"a,b"',
    ]);
    expect(await cellsOf([new Utf8(), texts], { escape: "\\" })).toEqual([
      '"q"""',
      '"back\\\\slash"',
      '"a,b"',
    ]);
    await expect(cellsOf([new Utf8(), texts], { doubledQuote: false })).rejects.toMatchObject({
      reason: "needs-escape",
      row: 0,
    });
  });

  test("cells that begin with the comment character are quoted, but only at the start of a record", async () => {
    const batch = batchOf({ "#a": [new Utf8(), ["#b", "c#"]], d: [new Utf8(), ["#e", null]] });
    expect(await written(batch, { comment: "#", lineEnd: "\n" })).toBe('"#a",d\n"#b",#e\nc#,\n');
  });

  test("null is written as the first null marker, and values that equal any marker are quoted", async () => {
    expect(await cellsOf([new Utf8(), [null, "", "NA", "x"]], { nullMarkers: ["NA", ""] })).toEqual([
      "NA",
      '""',
      '"NA"',
      "x",
    ]);
  });
});

describe("null", () => {
  test("is written as an empty cell, while empty text is quoted", async () => {
    expect(await cellsOf([new Utf8(), [null, "", "a"]])).toEqual(["", '""', "a"]);
    expect(await cellsOf([listOf(new Utf8()), [null, [""], ["a"]]])).toEqual(["", '""', "a"]);
  });

  test("is written as its marker, and an empty list is written as emptyListText; values equal to either are quoted", async () => {
    const options = { nullMarkers: ["NA"], emptyListText: "[]" };
    expect(await cellsOf([new Utf8(), [null, "", "NA", "[]", "NAN"]], options)).toEqual([
      "NA",
      "",
      '"NA"',
      '"[]"',
      "NAN",
    ]);
    expect(await cellsOf([listOf(new Int64()), [null, [], [7n]]], options)).toEqual(["NA", "[]", "7"]);
    expect(await cellsOf([new Float64(), [null, NaN]], { nullMarkers: ["nan"] })).toEqual(["nan", '"nan"']);
  });

  test("is also written in columns of type Null or List<Null>", async () => {
    expect(await cellsOf([new Null(), [null, null]], { nullMarkers: ["?"] })).toEqual(["?", "?"]);
    expect(await cellsOf([listOf(new Null()), [null, null]])).toEqual(["", ""]);
  });

  test("is not written for a null item, nor for an empty list if emptyListText is not set; both are rejected", async () => {
    const lists: Column = [listOf(new Int64()), [[1n], [], null]];
    await expect(cellsOf(lists)).rejects.toMatchObject({
      code: "not-convertible",
      reason: "empty-list",
      columnPath: "x",
      row: 1,
    });
    expect(await cellsOf(lists, { emptyListText: "" })).toEqual(["1", "", ""]);
    await expect(cellsOf([listOf(new Null()), [null, [null]]])).rejects.toMatchObject({
      reason: "null-item",
    });
  });

  test("is rejected if the record would become an empty line, which readers skip", async () => {
    const lone = batchOf({ x: [new Int32(), [1, null]] });
    await expect(written(lone)).rejects.toMatchObject({
      code: "not-convertible",
      reason: "blank-record",
      row: 1,
    });
    expect(await written(lone, { nullMarkers: ["NULL"] })).toBe("x\r\n1\r\nNULL\r\n");
    const lists = batchOf({ x: [listOf(new Int32()), [[1], []]] });
    await expect(written(lists, { emptyListText: "" })).rejects.toMatchObject({ reason: "blank-record" });
    expect(await written(batchOf({ x: [new Utf8(), [""]] }))).toBe('x\r\n""\r\n');
  });

  // As in Python's csv: "single empty field record must be quoted".
  test.each([[["NULL"]], [[""]], [[]]])(
    "is not confused with empty text, which is quoted in a file with one column (null markers: %j)",
    async (nullMarkers) => {
      const lone = batchOf({ x: [new Utf8(), ["a", ""]] });
      for (const skipBlankLines of [true, false]) {
        expect(await written(lone, { nullMarkers, skipBlankLines })).toBe('x\r\na\r\n""\r\n');
        await expect(written(lone, { nullMarkers, skipBlankLines, quote: null })).rejects.toMatchObject({
          reason: "needs-quotes",
          row: 1,
        });
      }
    },
  );
});

describe("multivalent columns", () => {
  const many = { multivalentColumns: ["x"], secondaryDelimiter: "|" };

  test("separate values with the secondary delimiter, and quote each value like a cell", async () => {
    const texts = [["a", "b"], ["a|b", "c"], ["a,b", 'q"'], ["", ""], [""], ["one"], null];
    expect(await cellsOf([listOf(new Utf8()), texts], many)).toEqual([
      "a|b",
      '"""a|b""|c"',
      '"a,b|""q"""""""',
      '"""""|"""""',
      '""""""',
      "one",
      "",
    ]);
    expect(await cellsOf([listOf(new Float32()), [[0.5, 2], [-1]]], many)).toEqual(["0.5|2.0", "-1.0"]);
  });

  test("can contain null values only if the null marker is not empty", async () => {
    const column: Column = [listOf(new Utf8()), [["a", null, "NA"]]];
    await expect(cellsOf(column, many)).rejects.toMatchObject({
      reason: "null-item",
      columnPath: "x",
      row: 0,
    });
    expect(await cellsOf(column, { ...many, nullMarkers: ["NA"] })).toEqual(['"a|NA|""NA"""']);
  });

  test("are the only columns that accept lists of two values; all columns reject null items by default", async () => {
    await expect(cellsOf([listOf(new Int64()), [[1n], [1n, 2n]]])).rejects.toMatchObject({
      code: "not-convertible",
      reason: "many-values",
      columnPath: "x",
      row: 1,
    });
    await expect(cellsOf([listOf(new Int64()), [[1n, null]]], many)).rejects.toMatchObject({
      reason: "null-item",
    });
    await expect(cellsOf([listOf(new Int64()), [[null]]])).rejects.toMatchObject({ reason: "null-item" });
  });
});

describe("values", () => {
  test.each<[string, Column, string[]]>([
    [
      "of type int64 are written exactly",
      [new Int64(), [0n, -1n, 9007199254740993n, 2n ** 63n - 1n, -(2n ** 63n), 2147483648n, -2147483649n]],
      [
        "0",
        "-1",
        "9007199254740993",
        "9223372036854775807",
        "-9223372036854775808",
        "2147483648",
        "-2147483649",
      ],
    ],
    ["of type uint64 are written exactly", [new Uint64(), [2n ** 64n - 1n]], ["18446744073709551615"]],
    [
      "of type float32 are written with the fewest digits that parse to the same float32",
      [new Float32(), [0.1, 1 / 3, 16777216, 3.4028234663852886e38, 1.401298464324817e-45, -0]],
      ["0.1", "0.33333334", "16777216.0", "3.4028235e+38", "1e-45", "-0.0"],
    ],
    [
      "of type float64 are written as Python's repr writes them, apart from exponents",
      [new Float64(), [0.1, 1 / 3, 1, -5, 1e300, 5e-324, NaN, Infinity, -Infinity]],
      ["0.1", "0.3333333333333333", "1.0", "-5.0", "1e+300", "5e-324", "nan", "inf", "-inf"],
    ],
    [
      "that are booleans are written as true or false",
      [new Bool(), [true, false, null]],
      ["true", "false", ""],
    ],
    [
      "that are dates are written as in ISO 8601",
      [new DateDay(), [new Date("2024-02-29"), null]],
      ["2024-02-29", ""],
    ],
    [
      "that are timestamps with a time zone are written in UTC, with three decimals for milliseconds",
      [new TimestampMillisecond("Asia/Tokyo"), [1_709_210_096_789]],
      ["2024-02-29T12:34:56.789Z"],
    ],
    ["that are durations are written as integers", [new DurationSecond(), [90n]], ["90"]],
    [
      "in a dictionary are written like plain text",
      [new Dictionary(new Utf8(), new Int32()), ["a", "b,", "a", null]],
      ["a", '"b,"', "a", ""],
    ],
    [
      "that are bytes in UTF-8 are written as text",
      [new Binary(), [Uint8Array.of(0xc3, 0xa9), Uint8Array.of()]],
      ["é", '""'],
    ],
  ])("%s", async (_, column, cells) => {
    expect(await cellsOf(column)).toEqual(cells);
  });

  test("are written identically from columns in list form and from stored columns", async () => {
    const decimal = makeData({
      type: new Decimal(2, 9, 128),
      length: 2,
      data: Uint32Array.of(1250, 0, 0, 0, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff),
    });
    const stored = batchOf({
      i: [new Int32(), [1, null]],
      f: [new Float32(), [0.1, 2]],
      s: [new Utf8(), ["", null]],
      b: [new Bool(), [true, null]],
      d: [new DateDay(), [new Date("2024-02-29"), null]],
      t: [new TimestampMillisecond(), [0, 1]],
      e: [new Dictionary(new Utf8(), new Int32()), ["x", "y"]],
    });
    const fields = [...stored.schema.fields, new Field("m", decimal.type, true)];
    const children = [...stored.data.children, decimal];
    const whole = new RecordBatch(
      new ArrowSchema(fields),
      makeData({ type: new Struct(fields), length: 2, nullCount: 0, children }),
    );
    const text =
      'i,f,s,b,d,t,e,m\r\n1,0.1,"",true,2024-02-29,1970-01-01T00:00:00.000,x,12.50\r\n' +
      ",2.0,,,,1970-01-01T00:00:00.001,y,-0.01\r\n";
    expect(await written(whole)).toBe(text);
    expect(await written(toListColumns(whole))).toBe(text);
  });

  test("that are bytes but not UTF-8 are rejected, or written in base64 if base64Columns lists their column", async () => {
    const bytes: Column = [new Binary(), [Uint8Array.of(102), Uint8Array.of(0xff, 0xfe)]];
    await expect(cellsOf(bytes)).rejects.toMatchObject({
      code: "not-convertible",
      reason: "not-utf8",
      columnPath: "x",
      row: 1,
      message: expect.stringContaining("base64Columns"),
    });
    // RFC 4648, section 10, encodes "f" as "Zg==".
    expect(await cellsOf(bytes, { base64Columns: ["x"] })).toEqual(["Zg==", "//4="]);
  });

  test("that are dates after the year 9999 are rejected", async () => {
    const batch = batchOf({ d: [new DateDay(), [new Date("+012345-01-01T00:00:00Z")]] });
    await expect(written(batch)).rejects.toMatchObject({ reason: "date-range", columnPath: "d", row: 0 });
  });
});

describe("a writer rejects", () => {
  const nested = [
    new Struct([new Field("a", new Int32())]),
    listOf(listOf(new Int32())),
    listOf(new Struct([new Field("a", new Int32())])),
  ];

  test.each(nested.map((type) => [String(type), type] as const))("columns of type %s", (_, type) => {
    const arrowSchema = new ArrowSchema([new Field("x", type, true)]);
    const write = (): unknown => writeCsv(memoryTarget("x.csv"), { arrowSchema, options: defaults });
    expect(errorOf(write)).toMatchObject({ code: "unsupported", reason: "column-type" });
  });

  test("two columns with the same name, unless the file has no header", async () => {
    const field = new Field("x", new Int32(), true);
    const arrowSchema = new ArrowSchema([field, field]);
    const target = memoryTarget("x.csv");
    expect(() => writeCsv(target, { arrowSchema, options: defaults })).toThrow("Two columns are named");
    expect(() => writeCsv(target, { arrowSchema, options: { ...defaults, header: false } })).not.toThrow();
  });

  test.each<[string, Partial<CsvEncodeOptions>, string]>([
    [
      "a null marker that contains the delimiter",
      { nullMarkers: ["N,A"] },
      'nullMarkers[0] is written unquoted, so it must not contain ",".',
    ],
    [
      "an emptyListText that contains a line break",
      { emptyListText: "\n" },
      'emptyListText is written unquoted, so it must not contain "\\n".',
    ],
    [
      "an emptyListText that ends with the start of the delimiter",
      { emptyListText: "[|", delimiter: "||" },
      'emptyListText is written unquoted, so it must not end with "|", the start of "||".',
    ],
    [
      "multivalent columns without a secondary delimiter",
      { multivalentColumns: ["x"] },
      "multivalentColumns requires `secondaryDelimiter`",
    ],
    [
      "multivalent columns that are not lists",
      { multivalentColumns: ["y"], secondaryDelimiter: "|" },
      'multivalentColumns[0] must name a list column, found "y", a column of type Int32.',
    ],
    [
      "base64 for an unknown column",
      { base64Columns: ["z"] },
      'base64Columns[0] must name a column of bytes, found "z", an unknown column.',
    ],
    [
      "base64 for a column of numbers",
      { base64Columns: ["y"] },
      'base64Columns[0] must name a column of bytes, found "y", a column of type Int32.',
    ],
  ])("%s", (_, options, message) => {
    const arrowSchema = new ArrowSchema([
      new Field("x", listOf(new Int32()), true),
      new Field("y", new Int32(), true),
    ]);
    const write = (): unknown =>
      writeCsv(memoryTarget("x.csv"), { arrowSchema, options: { ...defaults, ...options } });
    expect(errorOf(write)).toMatchObject({
      code: "invalid-argument",
      argument: Object.keys(options)[0],
      message: expect.stringContaining(message),
    });
  });

  test("null if there is no null marker", async () => {
    const options = { nullMarkers: [] };
    expect(await cellsOf([new Utf8(), ["", "a"]], options)).toEqual(["", "a"]);
    await expect(cellsOf([new Utf8(), ["", null]], options)).rejects.toMatchObject({
      reason: "null-cell",
      row: 1,
    });
    await expect(cellsOf([new Null(), [null]], options)).rejects.toMatchObject({
      reason: "null-cell",
      row: 0,
    });
  });

  test("line breaks in cells with `multiline: false`", async () => {
    const options = { multiline: false };
    expect(await cellsOf([new Utf8(), ["a,b"]], options)).toEqual(['"a,b"']);
    for (const text of ["a\nb", "a\rb"]) {
      await expect(cellsOf([new Utf8(), [text]], options)).rejects.toMatchObject({
        reason: "line-break",
        row: 0,
      });
    }
  });

  test("cells that need quotes when quoting is off", async () => {
    const options = { quote: null };
    expect(await cellsOf([new Utf8(), ['a"b', null]], options)).toEqual(['a"b', ""]);
    for (const text of ["a,b", "a\nb", ""]) {
      await expect(cellsOf([new Utf8(), [text]], options)).rejects.toMatchObject({
        reason: "needs-quotes",
        row: 0,
      });
    }
  });

  test.each<[string, string, Partial<CsvEncodeOptions>]>([
    ["a,b", "needs-quotes", { quote: null }],
    ["a\nb", "needs-quotes", { quote: null }],
    ["", "needs-quotes", { quote: null }],
    ['a"b', "needs-escape", { doubledQuote: false }],
    ["a\nb", "line-break", { multiline: false }],
  ])("the column name %j in a header (reason %s, options %j)", (name, reason, options) => {
    const arrowSchema = new ArrowSchema([new Field("x", new Int32()), new Field(name, new Int32())]);
    const write = (header: boolean): unknown =>
      writeCsv(memoryTarget("x.csv"), { arrowSchema, options: { ...defaults, ...options, header } });
    expect(errorOf(() => write(true))).toMatchObject({ code: "not-convertible", reason, columnPath: name });
    expect(() => write(false)).not.toThrow();
  });

  test("a batch from its first bad row on, and then accepts a valid batch", async () => {
    const batch = batchOf({ x: [new Int32(), [1, 2]], y: [listOf(new Int32()), [[1], []]] });
    const target = memoryTarget("x.csv");
    const writer = writeCsv(target, { arrowSchema: batch.schema, options: defaults });
    const error: unknown = await writer.write(batch).catch((thrown: unknown) => thrown);
    expect(isTfxioError(error, "not-convertible")).toBe(true);
    await writer.write(batch.slice(0, 1));
    await writer.finish();
    await target.commit();
    expect(new TextDecoder().decode(target.bytes())).toBe("x,y\r\n1,1\r\n1,1\r\n");
  });
});
