import { expect, test } from "@jest/globals";
import { avroBatches, avroFile, avroRows } from "./avro-rows.js";
import { avscRows, avscValue } from "./avsc-file.js";
import { fileOf } from "./file-of.js";

// Each case has a name, an Avro type, values as avsc writes and reads them, the Arrow type from the README, and cells as text.
const fixed2 = { type: "fixed", name: "F", size: 2 };
const point = {
  type: "record",
  name: "P",
  fields: [
    { name: "x", type: "int" },
    { name: "y", type: ["string", "null"] },
  ],
};
const cases: readonly (readonly [string, unknown, readonly unknown[], string, string])[] = [
  ["null", "null", [null, null], "Null", "[null,null]"],
  ["boolean", "boolean", [true, false], "Bool", "[true,false]"],
  ["int", "int", [0, -1, 2 ** 31 - 1, -(2 ** 31)], "Int32", "[0,-1,2147483647,-2147483648]"],
  [
    "long",
    "long",
    [0n, 2n ** 63n - 1n, -(2n ** 63n), -65n],
    "Int64",
    '["0","9223372036854775807","-9223372036854775808","-65"]',
  ],
  ["float", "float", [1.5, -0.25], "Float32", "[1.5,-0.25]"],
  ["double", "double", [0.1, 1e300], "Float64", "[0.1,1e+300]"],
  ["string", "string", ["", "Zürich 🚕"], "Utf8", '["","Zürich 🚕"]'],
  ["bytes", "bytes", [Buffer.of(0, 255)], "Binary", "[[0,255]]"],
  ["a fixed type", fixed2, [Buffer.of(1, 2), Buffer.of(3, 4)], "FixedSizeBinary[2]", "[[1,2],[3,4]]"],
  [
    "an enum",
    { type: "enum", name: "E", symbols: ["A", "B"] },
    ["B", "A"],
    "Dictionary<Int32, Utf8>",
    '["B","A"]',
  ],
  ["an array", { type: "array", items: "int" }, [[1, 2], []], "List<Int32>", "[[1,2],[]]"],
  ["a map", { type: "map", values: "int" }, [{ a: 1 }, {}], "Map<{key:Utf8, value:Int32}>", '[{"a":1},{}]'],
  [
    "a record",
    point,
    [
      { x: 1, y: { string: "a" } },
      { x: 2, y: null },
    ],
    "Struct<{x:Int32, y:Utf8}>",
    '[{"x":1,"y":"a"},{"x":2,"y":null}]',
  ],
  ["a union with null", ["null", "int"], [null, { int: 7 }], "Int32", "[null,7]"],
  ["a union of one type", ["int"], [{ int: 7 }], "Int32", "[7]"],
  [
    "a union of several types",
    ["null", "int", "string"],
    [null, { int: 7 }, { string: "a" }],
    "Struct<{member0:Int32, member1:Utf8}>",
    '[null,{"member0":7,"member1":null},{"member0":null,"member1":"a"}]',
  ],
  [
    "a date",
    { type: "int", logicalType: "date" },
    [19_000],
    "Date32<DAY>",
    String.raw`[${19_000 * 86_400_000}]`,
  ],
  ["a time", { type: "int", logicalType: "time-millis" }, [1000], "Time32<MILLISECOND>", "[1000]"],
  [
    "a time in microseconds",
    { type: "long", logicalType: "time-micros" },
    [5n],
    "Time64<MICROSECOND>",
    '["5"]',
  ],
  [
    "a timestamp",
    { type: "long", logicalType: "timestamp-millis" },
    [1_600_000_000_001n],
    "Timestamp<MILLISECOND, UTC>",
    "[1600000000001]",
  ],
  [
    "a local timestamp",
    { type: "long", logicalType: "local-timestamp-micros" },
    [3000n],
    "Timestamp<MICROSECOND>",
    "[3]",
  ],
  [
    "a timestamp in nanoseconds",
    { type: "long", logicalType: "timestamp-nanos" },
    [4_000_000n],
    "Timestamp<NANOSECOND, UTC>",
    "[4]",
  ],
  ["an unknown logical type", { type: "int", logicalType: "fortnight" }, [4], "Int32", "[4]"],
];

/** Writes a file of values that avsc encoded. The header is ours, because avsc lacks logical types. */
function fileWith(schema: unknown, rows: readonly unknown[]): Uint8Array {
  const physical: unknown = JSON.parse(
    JSON.stringify(schema),
    (_, part: { logicalType?: unknown; type?: unknown }) => {
      return part?.logicalType !== undefined && part.type === "long" ? "long" : part;
    },
  );
  const block = rows.flatMap((row) => [...avscValue(physical, row)]);
  return fileOf(schema, block, rows.length);
}

/**
 * Rows that avsc reads back, keyed by the name of the case. Our writer stores a union of several types as a record with one
 * member for each type except null.
 */
const MEMBERS: Readonly<Record<string, unknown>> = {
  "a union of several types": [
    { c: null },
    { c: { member0: 7, member1: null } },
    { c: { member0: null, member1: "a" } },
  ],
};

/** Returns a safe integer as a number, as avsc does for a long with a logical type. Returns any other integer as text. */
const jsonOf = (long: bigint): number | string =>
  Number.isSafeInteger(Number(long)) ? Number(long) : String(long);

/** Converts a value from avsc to plain JSON, without the names of union branches and with bytes as lists. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "bigint" ? jsonOf(part) : part,
  );
  return JSON.parse(text, (_key, part: Readonly<Record<string, unknown>> | null) => {
    if (part?.["type"] === "Buffer") return part["data"];
    const [[branch, content] = [], ...others] = Object.entries(Object(part));
    const isBranch =
      others.length === 0 && /^(int|long|float|double|string|bytes|record\d+)$/.test(branch ?? "");
    return isBranch ? content : part;
  });
}

const recordOf = (type: unknown): object => ({ type: "record", name: "R", fields: [{ name: "c", type }] });

test.each(cases)(
  "%s is read as its Arrow type, and written to a file that avsc can read",
  async (name, type, values, arrowType, cells) => {
    const rows = values.map((c) => ({ c }));
    const [batch] = await avroBatches(fileWith(recordOf(type), rows));
    const column = batch!.getChildAt(0)!;
    expect(String(column.type)).toBe(arrowType);
    const asText = (_key: string, cell: unknown) => {
      if (typeof cell === "bigint") return String(cell);
      return cell instanceof Uint8Array ? [...cell] : cell;
    };
    expect(JSON.stringify([...column], asText)).toBe(cells);
    const file = await avroFile([batch!], { codec: "null" });
    const written = (await avscRows(file)).map((row) => plain(row)) as { readonly c: unknown }[];
    expect(written).toEqual(plain(name in MEMBERS ? MEMBERS[name] : rows));
    const [again] = await avroBatches(file);
    expect(JSON.stringify([...again!.getChildAt(0)!], asText)).toBe(cells);
  },
);

const decimal = { logicalType: "decimal", precision: 9, scale: 2 };

test.each([
  ["bytes", "bytes", Buffer.of(0x30, 0x39)],
  ["more bytes than necessary", "bytes", Buffer.of(0, 0, 0x30, 0x39)],
  ["a fixed type", { type: "fixed", name: "D", size: 4 }, Buffer.of(0, 0, 0x30, 0x39)],
])("a decimal stored in %s is read as its unscaled value", async (_, type, bytes) => {
  const fields = typeof type === "string" ? { type } : type;
  const file = fileWith(recordOf({ ...fields, ...decimal }), [{ c: bytes }]);
  const [batch] = await avroBatches(file);
  const column = batch!.getChildAt(0)!;
  expect(String(column.type)).toBe("Decimal[9e+2]");
  expect([...(column.get(0) as Uint32Array)]).toEqual([12_345, 0, 0, 0]);
});

test("a negative decimal keeps its sign when it is read and written", async () => {
  const file = fileWith(recordOf({ type: "bytes", ...decimal }), [{ c: Buffer.of(0xff) }]);
  const [batch] = await avroBatches(file);
  const words = Array.from({ length: 4 }, () => 2 ** 32 - 1);
  expect([...(batch!.getChildAt(0)!.get(0) as Uint32Array)]).toEqual(words);
  const [again] = await avroBatches(await avroFile([batch!]));
  expect([...(again!.getChildAt(0)!.get(0) as Uint32Array)]).toEqual(words);
});

test("a type can be referenced by its full name, or by its short name within its namespace", async () => {
  const schema = {
    type: "record",
    name: "a.b.R",
    fields: [
      { name: "first", type: { type: "enum", name: "E", symbols: ["X"] } },
      { name: "second", type: "E" },
      { name: "third", type: "a.b.E" },
    ],
  };
  const file = fileWith(schema, [{ first: "X", second: "X", third: "X" }]);
  expect(await avroRows(file)).toEqual([{ first: "X", second: "X", third: "X" }]);
});

test("a value that is not a record becomes a column named `value`", async () => {
  expect(await avroRows(fileWith("long", [5n, 6n]))).toEqual([{ value: 5 }, { value: 6 }]);
});
