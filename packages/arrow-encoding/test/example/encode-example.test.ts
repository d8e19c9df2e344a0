import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "@jest/globals";
import { encodeExample, encodeSequenceExample, type FeatureValues } from "../../src/index.js";
import { ExampleSchema } from "../../src/generated/tensorflow/core/example/example_pb.js";

type Features = Parameters<typeof encodeExample>[0];

/** Encodes an Example, and returns the content that protobuf-es reads from the bytes. */
function read(features: Features): unknown {
  const { features: parsed } = fromBinary(ExampleSchema, encodeExample(features));
  return Object.fromEntries(
    Object.entries(parsed?.feature ?? {}).map(([name, { kind }]) => [
      name,
      kind.case === undefined ? null : [kind.case, kind.value.value],
    ]),
  );
}

function errorOf(values: unknown, name = "a"): unknown {
  try {
    encodeExample({ [name]: values as FeatureValues });
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("encodeExample", () => {
  test("writes the bytes that protobuf's encoding guide prescribes", () => {
    const bytes = encodeExample({ x: { kind: "int64", values: [1, 300] }, y: null });
    expect(Buffer.from(bytes).toString("hex")).toBe("0a150a0c0a017812071a050a0301ac020a050a01791200");
  });

  test("distinguishes null, empty lists and values of every kind", () => {
    expect(
      read({
        none: null,
        noBytes: { kind: "bytes", values: [] },
        noInts: { kind: "int64", values: [] },
        bytes: { kind: "bytes", values: ["é", Uint8Array.of(255, 0), ""] },
        floats: { kind: "float", values: [1.5, -0, NaN, Infinity, 0.1] },
        typed: { kind: "float", values: Float32Array.of(2.5) },
      }),
    ).toEqual({
      none: null,
      noBytes: ["bytesList", []],
      noInts: ["int64List", []],
      bytes: ["bytesList", [Uint8Array.of(0xc3, 0xa9), Uint8Array.of(255, 0), new Uint8Array(0)]],
      floats: ["floatList", [1.5, -0, NaN, Infinity, Math.fround(0.1)]],
      typed: ["floatList", [2.5]],
    });
  });

  test("writes int64 values exactly over the entire range", () => {
    const values = [2n ** 63n - 1n, -(2n ** 63n), -1n, 0n, 2n ** 53n + 1n];
    expect(
      read({ big: { kind: "int64", values }, typed: { kind: "int64", values: BigInt64Array.from(values) } }),
    ).toEqual({
      big: ["int64List", values],
      typed: ["int64List", values],
    });
    const safe = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    expect(read({ safe: { kind: "int64", values: safe } })).toEqual({
      safe: ["int64List", safe.map(BigInt)],
    });
  });

  test("writes an Example larger than the initial buffer", () => {
    const long = "x".repeat(100_000);
    const ints = Array.from({ length: 5000 }, (_, i) => i);
    expect(read({ long: { kind: "bytes", values: [long] }, ints: { kind: "int64", values: ints } })).toEqual({
      long: ["bytesList", [new TextEncoder().encode(long)]],
      ints: ["int64List", ints.map(BigInt)],
    });
  });

  test.each<[string, unknown, object]>([
    [
      "an int64 out of range",
      { kind: "int64", values: [2n ** 63n] },
      { code: "out-of-range", columnPath: "a" },
    ],
    ["an unsafe integer", { kind: "int64", values: [2 ** 53] }, { code: "out-of-range" }],
    ["a fraction as int64", { kind: "int64", values: [1.5] }, { code: "out-of-range" }],
    ["text as int64", { kind: "int64", values: ["1"] }, { code: "not-convertible", reason: "cell-value" }],
    ["a bigint as float", { kind: "float", values: [1n] }, { code: "not-convertible", reason: "cell-value" }],
    ["a number as bytes", { kind: "bytes", values: [1] }, { code: "not-convertible", reason: "cell-value" }],
    [
      "an unpaired surrogate",
      { kind: "bytes", values: ["\ud800"] },
      { code: "not-convertible", reason: "cell-value" },
    ],
    [
      "an unknown kind",
      { kind: "double", values: [1] },
      { code: "invalid-argument", reason: "feature-kind" },
    ],
  ])("rejects %s", (_, values, error) => expect(errorOf(values)).toMatchObject(error));

  test.each<[string, unknown]>([
    ['Feature "a" requires an integer, found null.', { kind: "int64", values: [null] }],
    ['Feature "a" requires a string or bytes, found 1.', { kind: "bytes", values: [1] }],
    ['Feature "a" requires a number, found "1".', { kind: "float", values: ["1"] }],
    ['The kind of feature "a" must be "bytes", "float" or "int64", found 1n.', { kind: 1n, values: [] }],
  ])("rejects an invalid feature with the message: %s", (message, values) => {
    expect(errorOf(values)).toMatchObject({ message: expect.stringContaining(message) });
  });

  test.each<[unknown, string, string]>([
    [1, '{ kind: "int64", values: [1] }', "1"],
    [7n, '{ kind: "int64", values: [7n] }', "7n"],
    [0.5, '{ kind: "float", values: [0.5] }', "0.5"],
    ["x", '{ kind: "bytes", values: ["x"] }', '"x"'],
    [[2, 3], '{ kind: "int64", values: [2] }', "a list of length 2"],
    [Float32Array.of(0.5), '{ kind: "float", values: [0.5] }', "a Float32Array"],
    [Uint8Array.of(1), '{ kind: "bytes", values: [bytes] }', "a Uint8Array"],
    [[], '{ kind: "int64", values: [1] }', "an empty list"],
  ])("rejects %p, and shows the correct form in the error", (value, example, found) => {
    const encode = (): unknown => encodeExample({ a: value as never });
    const message = `features["a"] must be null, or values with their kind such as ${example}, found ${found}.`;
    expect(encode).toThrow(message);
  });

  test("rejects finite numbers beyond float32, and keeps the largest float32 and infinities", () => {
    const largest = 2 ** 128 - 2 ** 104;
    const bytes = encodeExample({ a: { kind: "float", values: [largest, -Infinity, 1e-300] } });
    expect(bytes.slice(-12)).toEqual(Uint8Array.of(0xff, 0xff, 0x7f, 0x7f, 0, 0, 0x80, 0xff, 0, 0, 0, 0));
    for (const value of [1e300, -1e300, 2 ** 128]) {
      expect(() => encodeExample({ a: { kind: "float", values: [value] } })).toThrow(
        `[out-of-range] A value of feature "a" must be within the float32 range, ±3.4028234663852886e38, found ${value}`,
      );
    }
    const parts = { featureLists: { l: [{ kind: "float" as const, values: Float64Array.of(1e39) }] } };
    expect(() => encodeSequenceExample(parts)).toThrow(
      '[out-of-range] A value of feature "l" must be within the float32 range, ±3.4028234663852886e38, found 1e+39',
    );
  });

  test("rejects a name that is not valid Unicode", () => {
    expect(errorOf(null, "\udfff")).toMatchObject({ code: "not-convertible", reason: "cell-value" });
  });
});
