import { describe, expect, test } from "@jest/globals";
import { type DType } from "@tfxio/tensor-adapter";
import {
  calculate,
  type Expression,
  fromPrensor,
  prensorOf,
  type ValueFunction,
  valueFunctions as fn,
} from "@tfxio/struct2tensor";
import { arrayOf, flattenPrensor } from "../naive/data.js";

/** Creates an expression over one row with the repeated leaf `a`, and with the repeated leaf `b` if it is given. */
function over(dtype: DType, a: readonly unknown[], b?: readonly unknown[]): Expression {
  const leaf = (values: readonly unknown[]) => ({
    kind: "leaf" as const,
    isRepeated: true,
    parentIndex: new Int32Array(values.length),
    dtype,
    values: arrayOf(dtype, values),
  });
  return fromPrensor(prensorOf({ "": { kind: "root", size: 1 }, a: leaf(a), ...(b && { b: leaf(b) }) }));
}

async function applied(expression: Expression, f: ValueFunction, fields = ["a"]): Promise<unknown> {
  const result = await calculate(expression.mapManyValues("", fields, f, { as: "x" }).project(["x"]));
  return flattenPrensor(result)["x"]?.values;
}

describe("arithmetic", () => {
  // Expected values are those of tf.math on the same inputs.
  test.each<[string, DType, readonly unknown[], ValueFunction, readonly unknown[]]>([
    ["int32 wraps on overflow", "int32", [2147483647, -5], fn.add(1), [-2147483648, -4]],
    [
      "int32 products are exact before they wrap",
      "int32",
      [65537, -3],
      fn.multiply(65537),
      [131073, -196611],
    ],
    ["int64 is exact above 2^53", "int64", [9007199254740993n], fn.add(2), [9007199254740995n]],
    ["int64 wraps on overflow", "int64", [2n ** 63n - 1n], fn.add(1n), [-(2n ** 63n)]],
    [
      "a float32 sum is rounded to float32",
      "float32",
      [0.1],
      fn.add(0.2),
      [Math.fround(Math.fround(0.1) + 0.2)],
    ],
    [
      "division of floats by 0 returns infinity or NaN",
      "float64",
      [1, -1, 0],
      fn.divide(0),
      [Infinity, -Infinity, Number.NaN],
    ],
    ["floor division of int32 rounds down", "int32", [7, -7], fn.floorDivide(2), [3, -4]],
    ["floor division of int64 rounds down", "int64", [7n, -7n], fn.floorDivide(-2), [-4n, 3n]],
    ["a remainder has the sign of its divisor", "int64", [7n, -7n], fn.mod(3), [1n, 2n]],
    [
      "negate changes the sign, and wraps the smallest int64",
      "int64",
      [5n, -(2n ** 63n)],
      fn.negate(),
      [-5n, -(2n ** 63n)],
    ],
    ["abs removes the sign, even from -0", "float64", [-1.5, -0], fn.abs(), [1.5, 0]],
    ["minimum returns the lesser value", "uint32", [1, 9], fn.minimum(5), [1, 5]],
    ["maximum returns the greater value", "int64", [1n, 9n], fn.maximum(5), [5n, 9n]],
  ])("follows the rule that %s", async (_name, dtype, values, f, expected) => {
    expect(await applied(over(dtype, values), f)).toEqual(expected);
  });

  test("combines two fields of the same type", async () => {
    expect(await applied(over("int32", [1, 2], [10, 20]), fn.subtract(), ["b", "a"])).toEqual([9, 18]);
    expect(await applied(over("int32", [1, 2]), fn.multiply(), ["a", "a"])).toEqual([1, 4]);
  });

  test("rejects division of an integer by 0", async () => {
    await expect(applied(over("int32", [1]), fn.floorDivide(0))).rejects.toMatchObject({
      reason: "division-by-zero",
    });
    await expect(applied(over("int64", [1n]), fn.mod(0))).rejects.toMatchObject({
      reason: "division-by-zero",
    });
  });

  test("rejects a constant that does not match the type of the field", () => {
    const [integers, words] = [over("int64", [1n]), over("string", ["x"])];
    const wrong = "must be an integer from -9223372036854775808 to 9223372036854775807, for int64, found 0.5";
    expect(() => integers.mapFieldValues("a", fn.add(0.5), { as: "x" })).toThrow(wrong);
    expect(() => integers.mapFieldValues("a", fn.less(0.5), { as: "x" })).toThrow(wrong);
    expect(() => integers.mapFieldValues("a", fn.vocabulary([0.5]), { as: "x" })).toThrow(wrong);
    expect(() => words.mapFieldValues("a", fn.equal(1), { as: "x" })).toThrow(
      "must be text or bytes, found 1",
    );
  });

  test.each<[DType, number | bigint]>([
    ["int8", 128],
    ["int32", -(2 ** 31) - 1],
    ["int64", 2n ** 63n],
    ["uint64", -1],
    ["uint8", 256n],
  ])("rejects a constant outside the range of %s", (dtype, constant) => {
    const values = dtype.endsWith("64") ? [1n] : [1];
    expect(() => over(dtype, values).mapFieldValues("a", fn.add(constant), { as: "x" })).toThrow(
      `, for ${dtype}, found ${constant}`,
    );
  });

  test("rejects a number of 2^53 or more for int64, because it may be inexact", () => {
    expect(() => over("int64", [1n]).mapFieldValues("a", fn.add(2 ** 53), { as: "x" })).toThrow(
      "must be a bigint or a safe integer, for int64, found 9007199254740992",
    );
  });

  test("rejects fields of unsupported types, and a call with too few fields", () => {
    expect(() => over("string", ["x"]).mapFieldValues("a", fn.add(1), { as: "x" })).toThrow(
      'The function "add" takes numbers of one type, from one field; found string.',
    );
    expect(() => over("int32", [1]).mapFieldValues("a", fn.divide(2), { as: "x" })).toThrow("takes floats");
    expect(() => over("int32", [1]).mapFieldValues("a", fn.add(), { as: "x" })).toThrow("from 2 fields");
    expect(() => over("int32", [1]).mapSparseTensors("", [], fn.add(), { as: "x" })).toThrow(
      "from 2 fields; found no fields.",
    );
  });
});

describe("comparison", () => {
  test.each<[string, DType, readonly unknown[], ValueFunction, readonly unknown[]]>([
    [
      "int64 is compared exactly above 2^53",
      "int64",
      [2n ** 53n, 2n ** 53n + 1n],
      fn.greater(2n ** 53n),
      [false, true],
    ],
    ["an integer is compared with a fraction", "int32", [0, 1], fn.greater(0.5), [false, true]],
    ["NaN does not equal NaN", "float64", [Number.NaN, 1], fn.equal(Number.NaN), [false, false]],
    ["NaN is unequal to a number", "float64", [Number.NaN, 1], fn.notEqual(1), [true, false]],
    ["NaN is not less than or equal to a number", "float64", [Number.NaN], fn.lessEqual(1), [false]],
    ["bytes are compared byte by byte", "string", ["", "ab", "b\u00ff"], fn.less("b"), [true, true, false]],
    ["a text constant equals its UTF-8 bytes", "string", ["ab", "a"], fn.equal("ab"), [true, false]],
  ])("follows the rule that %s", async (_name, dtype, values, f, expected) => {
    expect(await applied(over(dtype, values), f)).toEqual(expected);
  });

  test("works on two fields, and bools can be combined with `and`, `or`, `xor` and `not`", async () => {
    expect(await applied(over("int32", [1, 5], [1, 3]), fn.greaterEqual(), ["a", "b"])).toEqual([true, true]);
    const bools = over("bool", [true, true, false], [true, false, false]);
    expect(await applied(bools, fn.and(), ["a", "b"])).toEqual([true, false, false]);
    expect(await applied(bools, fn.or(), ["a", "b"])).toEqual([true, true, false]);
    expect(await applied(bools, fn.xor(), ["a", "b"])).toEqual([false, true, false]);
    expect(await applied(bools, fn.not())).toEqual([false, false, true]);
  });
});

describe("cast", () => {
  test.each<[DType, readonly unknown[], DType, readonly unknown[]]>([
    ["float64", [1.9, -1.9], "int32", [1, -1]],
    ["int64", [2n ** 31n - 1n], "int32", [2147483647]],
    ["int64", [2n ** 53n + 1n], "float64", [2 ** 53]],
    ["bool", [true, false], "float32", [1, 0]],
    ["float32", [0, 0.5], "bool", [false, true]],
    ["float64", [-(2 ** 63)], "int64", [-(2n ** 63n)]],
  ])("converts %s %p to %s", async (from, values, to, expected) => {
    expect(await applied(over(from, values), fn.cast(to))).toEqual(expected);
  });

  test.each<[DType, unknown, DType]>([
    ["int64", 2n ** 31n, "int32"],
    ["float64", Number.NaN, "int32"],
    ["float64", 2 ** 63, "int64"],
    ["int32", -1, "uint8"],
    ["int64", -1n, "uint64"],
  ])("rejects %s %p, which does not fit %s", async (from, value, to) => {
    await expect(applied(over(from, [value]), fn.cast(to))).rejects.toMatchObject({
      code: "out-of-range",
      reason: "cast",
    });
  });
});

describe("functions of bytes", () => {
  test("change the case of ASCII letters only, count bytes, and return substrings", async () => {
    const words = over("string", ["Ab\u00e9", "", "xyz"]);
    expect(await applied(words, fn.upper())).toEqual(["AB\u00e9", "", "XYZ"]);
    expect(await applied(words, fn.lower())).toEqual(["ab\u00e9", "", "xyz"]);
    expect(await applied(words, fn.length())).toEqual([3, 0, 3]);
    expect(await applied(words, fn.substring(1, 1))).toEqual(["b", "", "y"]);
    expect(await applied(words, fn.substring(-2))).toEqual(["b\u00e9", "", "yz"]);
  });

  test("hash to the same buckets as Apache Iceberg's bucket transform", async () => {
    // Iceberg's specification, appendix B: "iceberg" hashes to 1210000089, and the bytes 0 1 2 3 hash to -188683207.
    const words = over("string", ["iceberg", "\u0000\u0001\u0002\u0003"]);
    const numBuckets = 1000;
    const expected = [1210000089, -188683207].map((hash) => BigInt((hash & 0x7fffffff) % numBuckets));
    expect(await applied(words, fn.hash(numBuckets))).toEqual(expected);
  });
});

describe("lookup", () => {
  test("rejects a vocabulary with the same term twice", () => {
    const twice = fn.vocabulary(["a", "b", new Uint8Array([97])]);
    const call = () => over("string", ["a"]).mapFieldValues("a", twice, { as: "x" });
    expect(call).toThrow(expect.objectContaining({ code: "invalid-argument", argument: "terms" }));
    expect(call).toThrow("terms[2] must not repeat terms[0], found ");
  });

  test("returns vocabulary positions; an unknown value yields -1, the default id or an out-of-vocabulary bucket", async () => {
    const words = over("string", ["b", "zz", "a"]);
    expect(await applied(words, fn.vocabulary(["a", "b"]))).toEqual([1n, -1n, 0n]);
    const [, other] = (await applied(words, fn.vocabulary(["a", "b"], { numOovBuckets: 3 }))) as bigint[];
    expect(other).toBeGreaterThanOrEqual(2n);
    expect(other).toBeLessThan(5n);
    const numbers = over("int64", [7n, 6n, 8n]);
    expect(await applied(numbers, fn.vocabulary([8, 7], { defaultId: 9 }))).toEqual([1n, 9n, 0n]);
  });

  test("with `bucketize` puts a value that equals a boundary into the bucket above that boundary", async () => {
    // The example in the documentation of tf.raw_ops.Bucketize.
    const values = [-5, 10000, 150, 10, 5, 100];
    expect(await applied(over("int32", values), fn.bucketize([0, 10, 100]))).toEqual([0, 3, 3, 2, 1, 3]);
    expect(await applied(over("int64", [9n, 10n]), fn.bucketize([0, 10, 100]))).toEqual([1, 2]);
  });

  test("with `bucketize` rejects boundaries that do not ascend, are infinite or are not numbers", () => {
    for (const [boundaries, problem] of [
      [[0, 1, 1], "[2] must be a finite number above boundaries[1] (1), found 1."],
      [[0, Infinity], "[1] must be a finite number above boundaries[0] (0), found Infinity."],
      [["a"], '[0] must be a finite number, found "a".'],
    ] as const) {
      expect(() => fn.bucketize(boundaries as readonly number[])).toThrow(`boundaries${problem}`);
    }
  });
});
