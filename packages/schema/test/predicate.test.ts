import { describe, expect, test } from "@jest/globals";
import {
  assertPredicate,
  ColumnPath,
  type CompareOperator,
  formatPredicate,
  parsePredicate,
  type Predicate,
  predicateColumns,
  type PredicateValue,
} from "../src/index.js";

const age = ColumnPath.of("age");
const a = ColumnPath.of("a");
const compare = (column: ColumnPath, op: CompareOperator, value: PredicateValue): Predicate => ({
  kind: "compare",
  column,
  op,
  value,
});
const isNull = (column: ColumnPath): Predicate => ({ kind: "isNull", column });
const not = (operand: Predicate): Predicate => ({ kind: "not", operand });
const and = (...operands: Predicate[]): Predicate => ({ kind: "and", operands });
const or = (...operands: Predicate[]): Predicate => ({ kind: "or", operands });

describe("parsePredicate", () => {
  test("reads a comparison and a membership test joined by `and`", () => {
    expect(parsePredicate('age >= 18 and country in ("DE", "FR")')).toEqual(
      and(compare(age, ">=", 18n), { kind: "in", column: ColumnPath.of("country"), values: ["DE", "FR"] }),
    );
  });

  test.each<[string, Predicate]>([
    ["a is null", isNull(a)],
    ["not (a is null)", not(isNull(a))],
    ["a is not null", not(isNull(a))],
    ["a not in (1)", not({ kind: "in", column: a, values: [1n] })],
    ["a in ()", { kind: "in", column: a, values: [] }],
    ["NOT a IS NULL", not(isNull(a))],
    ["a==1", compare(a, "==", 1n)],
    ["a<-1", compare(a, "<", -1n)],
    ["user.age != 3", compare(ColumnPath.of("user", "age"), "!=", 3n)],
    ["'a.b'.c > 3", compare(ColumnPath.of("a.b", "c"), ">", 3n)],
    ["'it''s' == 3", compare(ColumnPath.of("it's"), "==", 3n)],
    ["'in' == 3", compare(ColumnPath.of("in"), "==", 3n)],
    ["hours-per-week <= 40", compare(ColumnPath.of("hours-per-week"), "<=", 40n)],
    ["##SEQUENCE##.größe <= 40", compare(ColumnPath.of("##SEQUENCE##", "größe"), "<=", 40n)],
    ["a == 9007199254740993", compare(a, "==", 9007199254740993n)],
    ["a == -123456789012345678901234567890", compare(a, "==", -123456789012345678901234567890n)],
    ["a == 18.0", compare(a, "==", 18)],
    ["a == .5", compare(a, "==", 0.5)],
    ["a == 1e-7", compare(a, "==", 1e-7)],
    ["a != NaN", compare(a, "!=", Number.NaN)],
    ["a < Infinity", compare(a, "<", Infinity)],
    ["a > -Infinity", compare(a, ">", -Infinity)],
    ["a == true", compare(a, "==", true)],
    ["a == FALSE", compare(a, "==", false)],
    [String.raw`a == "say \"hi\"\n\u00e4"`, compare(a, "==", 'say "hi"\nä')],
    [String.raw`a == b"\x00\xffA\n"`, compare(a, "==", Uint8Array.of(0, 255, 65, 10))],
    ["b == 1", compare(ColumnPath.of("b"), "==", 1n)],
  ])("reads `%s`", (text, expected) => {
    expect(parsePredicate(text)).toEqual(expected);
  });

  test("gives `not` precedence over `and`, gives `and` precedence over `or`, and keeps parentheses", () => {
    const [x, y, z] = ["x", "y", "z"].map((name) => isNull(ColumnPath.of(name))) as [
      Predicate,
      Predicate,
      Predicate,
    ];
    const texts: [string, Predicate][] = [
      ["x is null or y is null and z is null", or(x, and(y, z))],
      ["(x is null or y is null) and z is null", and(or(x, y), z)],
      ["not x is null and y is null", and(not(x), y)],
      ["not (x is null and y is null)", not(and(x, y))],
      ["x is null and y is null and z is null", and(x, y, z)],
      ["(x is null and y is null) and z is null", and(and(x, y), z)],
    ];
    for (const [text, expected] of texts) expect(parsePredicate(text)).toEqual(expected);
  });

  test.each([
    ["", 0, 'a column, "not" or "("'],
    ["age", 3, '"in", "not in" or "is"'],
    ["age >", 5, "a number"],
    ["age = 3", 4, '"==", "!=", "<=", ">=", "<", ">", "in"'],
    ["age == old", 7, String.raw`a number, text in double quotes, bytes such as b"\x00", true or false`],
    ["age == 3 country == 4", 9, '"and", "or" or the end'],
    ["(age == 3", 9, '")"'],
    ["age == 3)", 8, '"and", "or" or the end'],
    ["age in (3", 9, '"," or ")"'],
    ["age in (3,)", 10, "a value, found"],
    ["age is 3", 7, '"null" or "not null"'],
    ["and == 3", 0, "a column"],
    ["age == 12kg", 9, "the end of the number"],
    ['a == "open', 5, "a number"],
    [String.raw`a == "\q"`, 5, "escapes"],
    [String.raw`a == b"\q"`, 5, "escapes"],
    [String.raw`a == b"\x4"`, 5, "escapes"],
    ['a == b"ä"', 5, "ASCII"],
    ["18 <= age", 0, "a column"],
  ])("rejects %j at offset %i", (text, offset, expected) => {
    const rejection = () => parsePredicate(text);
    expect(rejection).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "predicate", offset }),
    );
    expect(rejection).toThrow(`at offset ${offset} expected `);
    expect(rejection).toThrow(expected);
  });

  test("rejects nesting that would exhaust the stack", () => {
    const deep = `${"(".repeat(100_000)}a is null${")".repeat(100_000)}`;
    expect(() => parsePredicate(deep)).toThrow(expect.objectContaining({ reason: "predicate" }));
    expect(() => parsePredicate(deep)).toThrow(/ expected at most \d+ levels of nesting, found more\.$/);
  });

  test("returns immutable trees", () => {
    const predicate = parsePredicate("a == 1 and b in (2)");
    expect(() => Object.assign(predicate, { kind: "or" })).toThrow(TypeError);
    expect(predicate.kind === "and" && Object.isFrozen(predicate.operands)).toBe(true);
  });
});

describe("formatPredicate", () => {
  test.each([
    'age >= 18 and country in ("DE", "FR")',
    "a is not null or not (b == 1)",
    "(a == 1 and b == 2) and c == 3",
    "'in' == 1",
    "'1st'.'two words' == 1.5",
    'a == b"\\x00\\xff"',
    "a == -0.0",
    "not (a in (1))",
  ])("restores the text `%s` after parsing", (text) => {
    expect(formatPredicate(parsePredicate(text))).toBe(text);
  });

  test("writes text that parses to an equal tree, for random predicates", () => {
    for (let seed = 1; seed <= 500; seed++) {
      const predicate = randomPredicate(seededBelow(seed), 4);
      expect(parsePredicate(formatPredicate(predicate))).toEqual(predicate);
    }
  });
});

test("predicateColumns lists each column only once, in order of first use", () => {
  const predicate = parsePredicate("b.c == 1 and (a is null or not (b.c > 3)) and 'b.c' in (1)");
  expect(predicateColumns(predicate).map(({ steps }) => steps)).toEqual([["b", "c"], ["a"], ["b.c"]]);
});

test.each([
  [undefined, "predicate must be a Predicate, as returned by parsePredicate, found undefined."],
  [{ kind: "xor" }, 'predicate.kind must be "compare", "in", "isNull", "and", "or" or "not", found "xor".'],
  [
    { kind: "compare", column: "a", op: "==", value: 1 },
    'predicate.column must be a ColumnPath of at least one step, found "a".',
  ],
  [
    { kind: "compare", column: new ColumnPath([]), op: "==", value: 1 },
    "predicate.column must be a ColumnPath of at least one step, found a ColumnPath.",
  ],
  [
    { kind: "compare", column: { steps: [1], child() {} }, op: "==", value: 1 },
    "predicate.column must be a ColumnPath",
  ],
  [
    { kind: "compare", column: { steps: ["a"] }, op: "==", value: 1 },
    "predicate.column must be a ColumnPath",
  ],
  [
    { kind: "compare", column: a, op: "=", value: 1 },
    'predicate.op must be "==", "!=", "<=", ">=", "<" or ">", found "=".',
  ],
  [
    { kind: "compare", column: a, op: "==", value: null },
    "predicate.value must be a bigint, number, string, Uint8Array or boolean, found null.",
  ],
  [{ kind: "in", column: a, values: "xy" }, 'predicate.values must be a list, found "xy".'],
  [
    { kind: "and", operands: [isNull(a)] },
    "predicate.operands must be at least two predicates, found a list of length 1.",
  ],
  [
    { kind: "or", operands: [isNull(a), 3] },
    "predicate.operands[1] must be a Predicate, as returned by parsePredicate, found 3.",
  ],
  [{ kind: "not" }, "predicate.operand must be a Predicate, as returned by parsePredicate, found undefined."],
])("assertPredicate rejects %j", (value, message) => {
  expect(() => assertPredicate(value)).toThrow(
    expect.objectContaining({ code: "invalid-argument", reason: "predicate", argument: "predicate" }),
  );
  expect(() => assertPredicate(value)).toThrow(message);
});

/** Returns a seeded generator of integers below `n`: the minimal standard generator of Park and Miller. */
function seededBelow(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 48271) % 2147483647;
    return state % n;
  };
}

function randomPredicate(below: (n: number) => number, depth: number): Predicate {
  const steps = ["a", "in", "NULL", "", "1", "it's", "(x)", "a b", "größe", "x-1", "NaN", "a\nb", "true"];
  const numbers = [0n, -1n, 2n ** 64n, 0, -0, 1, 1.5, 1e21, 5e-324, -1e300, Number.NaN, Infinity, -Infinity];
  const texts = ["", 'a"b\\', "\u0000\n\u{1f600}", "\ud800"];
  const bytes = [Uint8Array.of(), Uint8Array.of(0, 34, 92, 65, 127, 255)];
  const values: readonly PredicateValue[] = [...numbers, ...texts, ...bytes, true, false];
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const column = new ColumnPath(Array.from({ length: 1 + below(3) }, () => pick(steps)));
  switch (below(depth === 0 ? 3 : 6)) {
    case 0:
      return isNull(column);
    case 1:
      return compare(column, pick(["==", "!=", "<", "<=", ">", ">="]), pick(values));
    case 2:
      return { kind: "in", column, values: Array.from({ length: below(4) }, () => pick(values)) };
    case 3:
      return not(randomPredicate(below, depth - 1));
    default: {
      const operands = Array.from({ length: 2 + below(2) }, () => randomPredicate(below, depth - 1));
      return { kind: pick(["and", "or"]), operands };
    }
  }
}
