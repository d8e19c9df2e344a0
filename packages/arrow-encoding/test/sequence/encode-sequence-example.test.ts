import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "@jest/globals";
import { encodeExample, encodeSequenceExample, type FeatureValues } from "../../src/index.js";
import {
  type Feature,
  SequenceExampleSchema,
} from "../../src/generated/tensorflow/core/example/example_pb.js";

const plain = ({ kind }: Feature): unknown =>
  kind.case === undefined ? null : [kind.case, kind.value.value];

describe("encodeSequenceExample", () => {
  test("writes the bytes that the protobuf encoding prescribes", () => {
    const step: FeatureValues = { kind: "int64", values: [1] };
    const bytes = encodeSequenceExample({ context: { c: null }, featureLists: { s: [step, null] } });
    // context = 1 { entry { "c", {} } }, feature_lists = 2 { entry { "s", { feature = 1, feature = 1 } } }
    const hex = "0a07 0a05 0a0163 1200 1210 0a0e 0a0173 1209 0a05 1a03 0a01 01 0a00";
    expect(Buffer.from(bytes).toString("hex")).toBe(hex.replaceAll(" ", ""));
  });

  test("distinguishes lists without steps, steps without a kind, and steps without values", () => {
    const parsed = fromBinary(
      SequenceExampleSchema,
      encodeSequenceExample({
        context: { id: { kind: "bytes", values: ["é"] } },
        featureLists: {
          none: [],
          kinds: [null, { kind: "float", values: [] }, { kind: "float", values: [0.5, -0] }],
          wide: [{ kind: "int64", values: [2n ** 63n - 1n] }],
        },
      }),
    );
    expect(Object.keys(parsed.context?.feature ?? {})).toEqual(["id"]);
    const lists = Object.entries(parsed.featureLists?.featureList ?? {});
    expect(Object.fromEntries(lists.map(([name, { feature }]) => [name, feature.map(plain)]))).toEqual({
      none: [],
      kinds: [null, ["floatList", []], ["floatList", [0.5, -0]]],
      wide: [["int64List", [2n ** 63n - 1n]]],
    });
  });

  test("writes the context and the feature lists only if they are given", () => {
    expect(encodeSequenceExample({})).toEqual(new Uint8Array(0));
    expect(encodeSequenceExample({ featureLists: {} })).toEqual(Uint8Array.of(0x12, 0));
    const context = { a: { kind: "int64", values: [1, 2] } } as const;
    expect(encodeSequenceExample({ context })).toEqual(encodeExample(context));
  });

  test("names the feature list in the error if an int64 step contains a fraction", () => {
    const step = { kind: "int64", values: [1.5] } as const;
    expect(() => encodeSequenceExample({ featureLists: { steps: [step] } })).toThrow(
      expect.objectContaining({ code: "out-of-range", reason: "int64", columnPath: "steps" }),
    );
  });
});
