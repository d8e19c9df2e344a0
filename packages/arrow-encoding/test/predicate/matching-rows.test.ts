import { describe, expect, test } from "@jest/globals";
import {
  ColumnPath,
  type CompareOperator,
  formatPredicate,
  parsePredicate,
  type Predicate,
  type PredicateValue,
} from "@tfxio/schema";
import {
  Binary,
  Bool,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float16,
  Float32,
  Float64,
  Int32,
  Int64,
  LargeList,
  LargeUtf8,
  makeData,
  Map_,
  Null,
  type RecordBatch,
  Struct,
  TimestampMillisecond,
  Uint64,
  Uint8,
  Utf8,
} from "apache-arrow";
import { createRowMatcher, innermostType, isBytesType, matchingRows } from "../../src/index.js";
import { plainRows } from "../plain-rows.js";
import { Draw, seededRandom } from "../random.js";
import { randomBatch, randomType } from "../random-column.js";
import { batchOf, batchWith, columnOf, dictionaryOf, listOf } from "../batches.js";

const rowsOf = (batch: RecordBatch, text: string): number[] => [...matchingRows(batch, parsePredicate(text))];
/** Returns the matching rows of a batch whose only column is `x`. */
const matches = (data: Data, text: string): number[] => rowsOf(batchOf({ x: data }), text);

test("matchingRows returns the rows that satisfy both operands of `and`", () => {
  const batch = batchOf({
    age: columnOf(new Int32(), [17, 18, 40, null, 65]),
    country: columnOf(new Utf8(), ["DE", "DE", "IT", "FR", "FR"]),
  });
  expect(rowsOf(batch, 'age >= 18 and country in ("DE", "FR")')).toEqual([1, 4]);
});

describe("a column with nulls", () => {
  const x = columnOf(new Int64(), [1n, null, 3n]);

  test.each([
    ["x == 1", [0]],
    ["not (x == 1)", [2]],
    ["not (not (x == 1))", [0]],
    ["x != 1", [2]],
    ["x not in (1)", [2]],
    ["x in ()", []],
    ["x not in ()", [0, 2]],
    ["x is null", [1]],
    ["x is not null", [0, 2]],
    ["x == 1 or x is null", [0, 1]],
    ["not (x == 1 and x == 2)", [0, 2]],
    ["x == 1 or not (x == 1)", [0, 2]],
  ])("matches `%s` in rows %j", (text, rows) => {
    expect(matches(x, text)).toEqual(rows);
  });

  test("is matched according to Kleene's truth tables for `and` and `or`", () => {
    // `a == 1` and `b == 1` are true for the value 1, false for 0, and unknown for null.
    const values = [1n, 0n, null];
    const batch = batchOf({
      a: columnOf(
        new Int64(),
        values.flatMap((value) => [value, value, value]),
      ),
      b: columnOf(new Int64(), [...values, ...values, ...values]),
    });
    expect(rowsOf(batch, "a == 1 and b == 1")).toEqual([0]);
    expect(rowsOf(batch, "not (a == 1 and b == 1)")).toEqual([1, 3, 4, 5, 7]);
    expect(rowsOf(batch, "a == 1 or b == 1")).toEqual([0, 1, 2, 3, 6]);
    expect(rowsOf(batch, "not (a == 1 or b == 1)")).toEqual([4]);
  });

  test("is null in every row, and at every path below the column, if its type is Null", () => {
    const nulls = makeData({ type: new Null(), length: 3 });
    expect(matches(nulls, "x == 1 or not (x == 1)")).toEqual([]);
    expect(matches(nulls, "x is null")).toEqual([0, 1, 2]);
    expect(matches(nulls.slice(1, 2), "x is null")).toEqual([0, 1]);
    expect(matches(nulls, "x.y is null")).toEqual([0, 1, 2]);
  });
});

describe("list values", () => {
  const x = columnOf(listOf(new Int64()), [[1n, 2n], [], null, [3n], [1n, null], [null]]);

  test.each([
    ["x == 2", [0]],
    ["x >= 1", [0, 3, 4]],
    ["x != 1", [0, 3]],
    // The null in [1, null] may be 2, so the result is unknown.
    ["not (x == 2)", [1, 3]],
    ["not (x == 1)", [1, 3]],
    ["x is null", [2]],
    ["x is not null", [0, 1, 3, 4, 5]],
  ])("match `%s` in rows %j", (text, rows) => {
    expect(matches(x, text)).toEqual(rows);
  });

  test("are found in nested, large, fixed-size and sliced lists", () => {
    const nested = columnOf(listOf(new LargeList(new Field("item", new Int64(), true))), [
      [[1n], [2n, 3n]],
      [[]],
      [],
      null,
      [[4n], [3n]],
    ]);
    expect(matches(nested, "x == 3")).toEqual([0, 4]);
    expect(matches(nested.slice(1, 4), "x == 3")).toEqual([3]);
    expect(matches(nested, "not (x == 3)")).toEqual([1, 2]);
    const fixed = columnOf(new FixedSizeList(2, new Field("item", new Float32(), true)), [
      [1, 2],
      null,
      [2, 3],
    ]);
    expect(matches(fixed, "x == 2.0")).toEqual([0, 2]);
    expect(matches(fixed.slice(1, 2), "x == 2")).toEqual([1]);
  });

  test("are found in structs, lists of structs and maps", () => {
    const entryType = new Struct([new Field("k", new Utf8(), false), new Field("v", new Int64(), true)]);
    const user = new Struct([
      new Field("age", new Int64(), true),
      new Field("tags", listOf(new Utf8()), true),
    ]);
    const batch = batchOf({
      user: columnOf(user, [
        { age: 1n, tags: ["a"] },
        null,
        { age: null, tags: [] },
        { age: 3n, tags: null },
      ]),
      users: columnOf(listOf(user), [
        [
          { age: 1n, tags: ["a", "b"] },
          { age: 2n, tags: null },
        ],
        [],
        null,
        [null],
      ]),
      counts: columnOf(new Map_(new Field("entries", entryType, false)), [
        new Map([["a", 1n]]),
        new Map(),
        null,
        new Map([["b", 5n]]),
      ]),
    });
    expect(rowsOf(batch, "user.age >= 1")).toEqual([0, 3]);
    expect(rowsOf(batch, "user.age is null")).toEqual([1, 2]);
    expect(rowsOf(batch, 'user.tags == "a"')).toEqual([0]);
    expect(rowsOf(batch, "user is null")).toEqual([1]);
    expect(rowsOf(batch, "user.tags is null")).toEqual([1, 3]);
    expect(rowsOf(batch, "users.age == 2")).toEqual([0]);
    expect(rowsOf(batch, 'users.tags == "b"')).toEqual([0]);
    expect(rowsOf(batch, "users.age is null")).toEqual([2]);
    expect(rowsOf(batch, "not (users.age == 7)")).toEqual([0, 1]);
    expect(rowsOf(batch, 'counts.key == "b" and counts.value > 4')).toEqual([3]);
  });
});

describe("numbers", () => {
  test("of 64 bits are compared exactly, even with floats", () => {
    const x = columnOf(new Int64(), [9007199254740992n, 9007199254740993n, -1n, -9223372036854775808n]);
    expect(matches(x, "x == 9007199254740993")).toEqual([1]);
    expect(matches(x, "x > 9007199254740992.0")).toEqual([1]);
    expect(matches(x, "x in (9007199254740993, 1.5, -1.0, 9223372036854775808)")).toEqual([1, 2]);
    expect(matches(x, "x >= -1.5")).toEqual([0, 1, 2]);
    expect(matches(x, "x < -1.5")).toEqual([3]);
    expect(matches(x, "x < 9223372036854775808")).toEqual([0, 1, 2, 3]);
    expect(matches(x, "x >= -9223372036854775809")).toEqual([0, 1, 2, 3]);
    expect(matches(x, "x <= -9223372036854775808")).toEqual([3]);
    expect(matches(x, "x < Infinity and x > -Infinity")).toEqual([0, 1, 2, 3]);
    expect(matches(x, "x == 0.5 or x >= NaN or x < NaN")).toEqual([]);
    expect(matches(x, "x != NaN")).toEqual([0, 1, 2, 3]);
  });

  test("of unsigned types are compared exactly, even beyond int64", () => {
    const x = columnOf(new Uint64(), [0n, 2n ** 63n, 2n ** 64n - 1n]);
    expect(matches(x, "x > 9223372036854775807")).toEqual([1, 2]);
    expect(matches(x, "x == 18446744073709551615")).toEqual([2]);
    expect(matches(x, "x >= -1")).toEqual([0, 1, 2]);
    expect(matches(x, "x in (-1, 9223372036854775808)")).toEqual([1]);
  });

  test("of type float64 or float32 are compared with the exact value in the predicate", () => {
    const x = columnOf(new Float64(), [9007199254740992, 9007199254740994, Infinity, Number.NaN, -0]);
    expect(matches(x, "x == 9007199254740993")).toEqual([]);
    expect(matches(x, "x < 9007199254740993")).toEqual([0, 4]);
    expect(matches(x, "x >= 9007199254740993")).toEqual([1, 2]);
    expect(matches(x, "x == 0")).toEqual([4]);
    expect(matches(x, "x in (9007199254740993, NaN, 0)")).toEqual([4]);
    const huge = `x > 1${"0".repeat(400)}`;
    expect(matches(x, huge)).toEqual([2]);
    // The float32 nearest to 0.1 is greater than 0.1.
    const y = columnOf(new Float32(), [0.1, 0.5]);
    expect(matches(y, "x == 0.1")).toEqual([]);
    expect(matches(y, "x > 0.1")).toEqual([0, 1]);
  });

  test("equal nothing and differ from everything if they are NaN", () => {
    const x = columnOf(new Float64(), [Number.NaN, 1]);
    expect(matches(x, "x == NaN or x < 1 or x >= 2 or x in (NaN)")).toEqual([]);
    expect(matches(x, "x != NaN")).toEqual([0, 1]);
    expect(matches(x, "x != 1")).toEqual([0]);
    expect(matches(x, "not (x < 1)")).toEqual([0, 1]);
  });

  test("of type float16 are compared by value", () => {
    // 1.5, -2, infinity, the smallest subnormal 2^-24, NaN.
    const bits = Uint16Array.of(0x3e00, 0xc000, 0x7c00, 0x0001, 0x7e00);
    const x = makeData({ type: new Float16(), length: 5, data: bits });
    expect(matches(x, "x == 1.5 or x == -2")).toEqual([0, 1]);
    expect(matches(x, "x > 65504")).toEqual([2]);
    expect(matches(x, "x > 0 and x < 1e-7")).toEqual([3]);
  });
});

describe("in matchingRows", () => {
  test("text and bytes are compared byte by byte", () => {
    const texts = ["a", "ab", "é", "\u{ffee}", "\u{1f600}", ""];
    for (const type of [new Utf8(), new LargeUtf8()]) {
      const x = columnOf(type, texts);
      expect(matches(x, 'x > "a"')).toEqual([1, 2, 3, 4]);
      expect(matches(x, 'x < "ab"')).toEqual([0, 5]);
      // By UTF-16 code units, U+1F600 would come before U+FFEE.
      expect(matches(x, 'x > "\uffee"')).toEqual([4]);
      expect(matches(x, 'x in ("", "ab", "zz")')).toEqual([1, 5]);
    }
    const bytes = columnOf(new Binary(), [Uint8Array.of(255), Uint8Array.of(0, 1), Uint8Array.of(127)]);
    expect(matches(bytes, 'x >= b"\\x7f"')).toEqual([0, 2]);
    expect(matches(bytes, 'x == b"\\x00\\x01"')).toEqual([1]);
    const fixed = columnOf(new FixedSizeBinary(2), [Uint8Array.of(1, 2), null, Uint8Array.of(1, 3)]);
    expect(matches(fixed.slice(1, 2), 'x == b"\\x01\\x03"')).toEqual([1]);
  });

  test("booleans may be stored as Bool, or as Uint8 that the field metadata marks as booleans", () => {
    const flags = columnOf(new Bool(), [true, false, null, true, false, true, true, false, true, false]);
    expect(matches(flags, "x == true")).toEqual([0, 3, 5, 6, 8]);
    expect(matches(flags.slice(3, 6), "x == false")).toEqual([1, 4]);
    expect(matches(flags, "x != true")).toEqual([1, 4, 7, 9]);
    expect(matches(flags, "x < true")).toEqual([1, 4, 7, 9]);
    const bytes = columnOf(listOf(new Uint8()), [[1], [0], null, []]);
    const field = new Field("x", bytes.type, true, new Map([["tfxio.logical", "bool"]]));
    expect(rowsOf(batchWith([field], [bytes]), "x == true")).toEqual([0]);
    expect(rowsOf(batchWith([field], [bytes]), "x in (false)")).toEqual([1]);
    expect(rowsOf(batchOf({ x: bytes }), "x == 1")).toEqual([0]);
  });

  test("dates and timestamps are compared in their unit, and decimals as text", () => {
    const days = makeData({ type: new DateDay(), length: 2, data: Int32Array.of(17486, 0) });
    expect(matches(days, "x >= 17486")).toEqual([0]);
    const stamps = makeData({
      type: new TimestampMillisecond(),
      length: 2,
      data: BigInt64Array.of(1510871468000n, -1n),
    });
    expect(matches(stamps, "x < 0")).toEqual([1]);
    const words = Uint32Array.of(1420, 0, 0, 0, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff);
    const decimals = makeData({ type: new Decimal(2, 9, 128), length: 2, data: words });
    expect(matches(decimals, 'x == "14.20"')).toEqual([0]);
    expect(matches(decimals, 'x == "-0.01"')).toEqual([1]);
  });

  test("dictionaries are compared by their values", () => {
    const x = dictionaryOf(["DE", null, "FR"], [0, 2, 1, null, 0]);
    expect(matches(x, 'x == "DE"')).toEqual([0, 4]);
    expect(matches(x, 'x != "DE"')).toEqual([1]);
    expect(matches(x, "x is null")).toEqual([2, 3]);
    expect(matches(x, 'not (x == "DE")')).toEqual([1]);
    expect(matches(x.slice(1, 4), 'x == "DE"')).toEqual([3]);
  });
});

test("matchingRows finds no rows in an empty batch", () => {
  expect(matches(columnOf(new Int64(), []), "x == 1 or x is null")).toEqual([]);
});

test("matchingRows rejects columns that the batch lacks", () => {
  const user = new Struct([new Field("age", new Int64(), true)]);
  const batch = batchOf({ user: columnOf(user, [{ age: 1n }]) });
  for (const text of ["age == 1", "user.name == 1", "user.age.x is null", "'user.age' == 1"]) {
    expect(() => rowsOf(batch, text)).toThrow(
      expect.objectContaining({ code: "schema-mismatch", reason: "unknown-column" }),
    );
  }
});

test("matchingRows rejects values that cannot be compared with the column's type", () => {
  const batch = batchOf({
    n: columnOf(new Int64(), [1n]),
    t: columnOf(listOf(new Utf8()), [["a"]]),
    f: columnOf(new Bool(), [true]),
    s: columnOf(new Struct([new Field("age", new Int64(), true)]), [{ age: 1n }]),
  });
  for (const text of [
    'n == "1"',
    "n == true",
    "t == 1",
    'f == "true"',
    "f == 1",
    "s == 1",
    'n in (1, "1")',
  ]) {
    expect(() => rowsOf(batch, text)).toThrow(
      expect.objectContaining({ code: "schema-mismatch", reason: "predicate-type" }),
    );
  }
  expect(() => rowsOf(batch, "t == 1")).toThrow("must be compared with text or bytes, found a number");
  expect(() => rowsOf(batch, "s == 1")).toThrow(
    'Column "s" must hold numbers, text, bytes or booleans to be compared, found Struct',
  );
  expect(rowsOf(batch, "s is null")).toEqual([]);
});

test("createRowMatcher rejects a value that is not a predicate, and its matcher rejects a value that is not a batch", () => {
  expect(() => createRowMatcher({ kind: "maybe" } as never)).toThrow(
    expect.objectContaining({ code: "invalid-argument", reason: "predicate" }),
  );
  expect(() => createRowMatcher(parsePredicate("x == 1"))({} as never)).toThrow(
    expect.objectContaining({ code: "invalid-argument", argument: "batch" }),
  );
});

test("matchingRows agrees with a row-by-row interpreter on random columns and slices", () => {
  for (let seed = 1; seed <= 400; seed++) {
    const draw = new Draw(seededRandom(seed));
    const whole = randomBatch(draw, { x: randomType(draw, 3), y: randomType(draw, 1) }, 1 + draw.below(12));
    const from = draw.below(whole.numRows);
    const batch = draw.oneIn(2) ? whole : whole.slice(from, from + draw.below(whole.numRows - from + 1));
    const predicate = randomPredicate(draw, batch, 2);
    const columns = new Map(batch.schema.names.map((name, i) => [name, plainRows(batch.data.children[i]!)]));
    const expected = Array.from({ length: batch.numRows }, (_, row) => row).filter(
      (row) => interpret(predicate, (name) => columns.get(name)?.[row]) === true,
    );
    const rows = [...matchingRows(batch, predicate)];
    expect({ seed, text: formatPredicate(predicate), rows }).toEqual({
      seed,
      text: formatPredicate(predicate),
      rows: expected,
    });
  }
});

function randomPredicate(draw: Draw, batch: RecordBatch, depth: number): Predicate {
  if (depth > 0 && draw.oneIn(2)) {
    const operand = randomPredicate(draw, batch, depth - 1);
    if (draw.oneIn(3)) return { kind: "not", operand };
    return { kind: draw.pick(["and", "or"]), operands: [operand, randomPredicate(draw, batch, depth - 1)] };
  }
  const field = draw.pick(batch.schema.fields);
  const steps = [field.name];
  let type: DataType = innermostType(field.type);
  while (type instanceof Struct) {
    const child: Field = draw.pick(type.children);
    steps.push(child.name);
    type = innermostType(child.type);
  }
  const column = new ColumnPath(steps);
  const value = (): PredicateValue => {
    if (type instanceof Bool) return draw.oneIn(2);
    if (isBytesType(type)) return draw.pick(["", "a", "b", "ab", "ca", "bbb"]);
    return draw.pick([BigInt(draw.below(9)) - 4n, draw.below(9) / 4, draw.below(9)]);
  };
  if (draw.oneIn(4)) return { kind: "isNull", column };
  if (draw.oneIn(3)) return { kind: "in", column, values: Array.from({ length: draw.below(4) }, value) };
  return { kind: "compare", column, op: draw.pick(["==", "!=", "<", "<=", ">", ">="]), value: value() };
}

/** Evaluates a predicate for one row. Returns undefined if the result is unknown. */
function interpret(predicate: Predicate, valueOf: (column: string) => unknown): boolean | undefined {
  switch (predicate.kind) {
    case "not": {
      const truth = interpret(predicate.operand, valueOf);
      return truth === undefined ? undefined : !truth;
    }
    case "and":
    case "or": {
      const decisive = predicate.kind === "or";
      const truths = new Set(predicate.operands.map((operand) => interpret(operand, valueOf)));
      if (truths.has(decisive)) return decisive;
      return truths.has(undefined) ? undefined : !decisive;
    }
    case "isNull":
      return isNullAt(valueOf(predicate.column.initialStep()), predicate.column.steps.slice(1));
    default: {
      const { column } = predicate;
      const values = valuesAt(valueOf(column.initialStep()), column.steps.slice(1));
      const truths = values.map((value) => {
        if (value === null) return undefined;
        if (predicate.kind === "compare") return holds(value, predicate.op, predicate.value);
        return predicate.values.some((one) => holds(value, "==", one));
      });
      if (truths.some((truth) => truth === true)) return true;
      return truths.every((truth) => truth === false) ? false : undefined;
    }
  }
}

function valuesAt(value: unknown, steps: readonly string[]): unknown[] {
  if (value === null) return [null];
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, steps));
  const [step, ...rest] = steps;
  return step === undefined ? [value] : valuesAt((value as Record<string, unknown>)[step], rest);
}

function isNullAt(value: unknown, steps: readonly string[]): boolean {
  if (value === null || Array.isArray(value)) return value === null;
  const [step, ...rest] = steps;
  return step === undefined ? false : isNullAt((value as Record<string, unknown>)[step], rest);
}

function holds(value: unknown, op: CompareOperator, bound: PredicateValue): boolean {
  // The tests' `plainRows` returns an int64 as text such as "5n".
  const isInt64 = typeof value === "string" && typeof bound !== "string";
  const left = (isInt64 ? Number(value.slice(0, -1)) : value) as number;
  const right = (typeof bound === "bigint" ? Number(bound) : bound) as number;
  switch (op) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    default:
      return left >= right;
  }
}
