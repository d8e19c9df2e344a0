import { describe, expect, test } from "@jest/globals";
import * as checks from "../../src/checks/index.js";
import { isTfxioError } from "../../src/index.js";

const {
  aBoolean,
  aListOf,
  aName,
  aPositiveInteger,
  anAbortSignal,
  anInteger,
  aNumber,
  aString,
  assertArgument,
  assertMembers,
  assertOptional,
  assertOptions,
  describeValue,
  isTagged,
  aListOfNames,
  oneOf,
  required,
  rule,
} = checks;

function messageOf(run: () => void): string {
  try {
    run();
  } catch (error) {
    if (isTfxioError(error, "invalid-argument")) return error.message;
    throw error;
  }
  return "passed";
}

describe("describeValue", () => {
  class Tensor {
    readonly rank = 1;
  }
  test.each([
    ["text", '"text"'],
    ["1", '"1"'],
    ["x".repeat(41), `"${"x".repeat(40)}…"`],
    [1, "1"],
    [-0, "0"],
    [Number.NaN, "NaN"],
    [5n, "5n"],
    [true, "true"],
    [undefined, "undefined"],
    [null, "null"],
    [() => 1, "a function"],
    [Symbol("s"), "Symbol(s)"],
    [[1, 2], "a list of length 2"],
    [{}, "an empty object"],
    [{ a: 1, b: 2 }, 'an object with the keys "a", "b"'],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5 }, 'an object with the keys "a", "b", "c", "d", …'],
    [{ 'a "b"': 1, ["x".repeat(41)]: 2 }, `an object with the keys "a \\"b\\"", "${"x".repeat(40)}…"`],
    [new Map(), "a Map"],
    [new Uint8Array(3), "a Uint8Array"],
    [new Int32Array(3), "an Int32Array"],
    [new Tensor(), "a Tensor"],
    [Object.create(null), "an empty object"],
    [{ constructor: 5 }, 'an object with the key "constructor"'],
  ])("describes %p as %s", (value, text) => {
    expect(describeValue(value)).toBe(text);
  });

  test("describes an object that throws when it is read", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(describeValue(proxy)).toBe("an object that cannot be read");
  });
});

describe("a rule", () => {
  const examples: (readonly [checks.Rule, readonly unknown[], readonly unknown[]])[] = [
    [aPositiveInteger, [1, 2 ** 53 - 1], [0, -1, 1.5, Number.NaN, "1", 1n, null, 2 ** 53]],
    [anInteger(0), [0, 5], [-1, 0.5, null]],
    [anInteger(0, 9), [0, 9], [10, -1]],
    [aNumber(1), [1, 1.5, Infinity], [0.5, Number.NaN, "1", 2n, null]],
    [aNumber(0, 1), [0, 0.5, 1], [-0.1, 1.1, Infinity, Number.NaN, true]],
    [aName, ["a"], ["", 1, null]],
    [aString, ["", "a"], [1, null]],
    [aBoolean, [true, false], [0, "true", null]],
    [aListOfNames, [[], ["a", ""]], ["a", [1], null, {}]],
    [checks.orByName(oneOf("a", "b")), ["a", { x: "b" }, {}], ["c", { x: "c" }, null, ["a"]]],
    [oneOf("lists", "stored"), ["lists"], ["list", null, undefined]],
    [checks.aReadCompression, ["auto", "none", "gzip", "zlib"], ["br", "", null, undefined]],
    [aListOf("a list of integers", anInteger(0)), [[], [1]], [[-1], 1, null]],
    [
      anAbortSignal,
      [new AbortController().signal],
      [new AbortController(), {}, null, { aborted: false, addEventListener() {} }],
    ],
    [rule("a URL", isTagged("URL")), [], ["http://a", null]],
  ];
  test.each(examples.map(([one, good, bad]) => [one.expected, one, good, bad] as const))(
    "for %s accepts all valid examples and rejects all invalid ones",
    (_, { holds }, good, bad) => {
      for (const value of good) expect([value, holds(value)]).toEqual([value, true]);
      for (const value of bad) expect([value, holds(value)]).toEqual([value, false]);
    },
  );
});

test('oneOf joins its choices with commas and "or"', () => {
  expect(oneOf(1).expected).toBe("1");
  expect(oneOf("a", 1, null).expected).toBe('"a", 1 or null');
});

test("invalidArgument names the function (owner), the argument and the position in the argument", () => {
  const error = checks.invalidArgument("records", "a Uint8Array", "x", {
    owner: "decode",
    at: "[3]",
    reason: "record-type",
  });
  expect(error).toMatchObject({
    message: '[invalid-argument] decode: records[3] must be a Uint8Array, found "x".',
    argument: "records",
    reason: "record-type",
  });
});

test("a range rule names its minimum and, if set, its maximum", () => {
  expect(
    [anInteger(0), anInteger(0, 9), anInteger(3, 3), aNumber(1), aNumber(0, 1)].map(
      ({ expected }) => expected,
    ),
  ).toEqual([
    "an integer of at least 0",
    "an integer from 0 to 9",
    "an integer equal to 3",
    "a number of at least 1",
    "a number from 0 to 1",
  ]);
});

describe("an argument check", () => {
  interface Options {
    readonly size?: number;
    readonly form?: "lists" | "stored";
    readonly other?: unknown;
  }
  const rules = { size: aPositiveInteger, form: oneOf("lists", "stored"), other: null };
  const check = (options: unknown) =>
    messageOf(() => assertOptions<Options>("open", options as Options, rules));

  test("accepts omitted, undefined and valid options, and any value of an option without a rule", () => {
    for (const options of [{}, { size: undefined }, { size: 1, form: "stored", other: Symbol("x") }]) {
      expect(check(options)).toBe("passed");
    }
  });

  test("names an invalid option, the expected value and the value found", () => {
    expect(check({ size: "1" })).toBe('[invalid-argument] open: size must be a positive integer, found "1".');
    expect(check({ form: "list" })).toBe(
      '[invalid-argument] open: form must be "lists" or "stored", found "list".',
    );
  });

  test("names an unknown option and the known options", () => {
    expect(check({ sise: 1 })).toBe(
      '[invalid-argument] open has no option "sise"; it has size, form, other.',
    );
    expect(() => assertOptions("open", { sise: 1 }, {} as never)).toThrow(
      expect.objectContaining({
        reason: "unknown-option",
        argument: "sise",
        message: '[invalid-argument] open takes no options, found "sise".',
      }),
    );
  });

  test.each([null, 5, "x", [1], () => 1])("rejects options that are not an object: %p", (options) => {
    expect(check(options)).toMatch(/open: options must be an object, found /);
  });

  test("reports a missing required option", () => {
    const run = () => assertOptions("fill", {}, { tf: required(rule("TensorFlow.js", Boolean)) } as never);
    expect(messageOf(run)).toBe("[invalid-argument] fill: tf must be TensorFlow.js, found undefined.");
  });

  test("names the option whose value is not an object, or has an invalid or unknown member", () => {
    const run = (value: unknown) => () => assertMembers("shuffle", value as object, { seed: anInteger(0) });
    expect(messageOf(run({ seed: -1 }))).toBe(
      "[invalid-argument] shuffle.seed must be an integer of at least 0, found -1.",
    );
    expect(messageOf(run(5))).toBe("[invalid-argument] shuffle must be an object, found 5.");
    expect(messageOf(run({ sed: 1 }))).toBe('[invalid-argument] shuffle has no option "sed"; it has seed.');
  });

  test("reports why an argument of the right type cannot be used", () => {
    const error = checks.unusableArgument("schema", "cannot be combined with inferSchema", {
      owner: "openTfxio",
    });
    expect(error.message).toBe("[invalid-argument] openTfxio: schema cannot be combined with inferSchema.");
    expect(error.argument).toBe("schema");
  });

  test("accepts undefined, but not null, for an optional argument, and rejects undefined for a required argument", () => {
    expect(messageOf(() => assertOptional("name", undefined, aName))).toBe("passed");
    expect(messageOf(() => assertArgument("name", undefined, aName))).toMatch(/found undefined/);
    expect(messageOf(() => assertOptional("name", null, aName))).toMatch(/found null/);
  });
});
