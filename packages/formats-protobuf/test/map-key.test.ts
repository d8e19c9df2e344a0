import { expect, test } from "@jest/globals";
import { ScalarType } from "@bufbuild/protobuf";
import { parseMapKey } from "../src/plan/map-key.js";

test.each([
  ["true", 1n],
  ["1", 1n],
  ["false", 0n],
  ["0", 0n],
])("the key %s of a map with bool keys is parsed as %s", (text, value) => {
  expect(parseMapKey(text, ScalarType.BOOL, "by_flag")).toMatchObject({ value, low: Number(value), high: 0 });
});

test.each(["yes", "TRUE", "", "constructor", "__proto__"])(
  "the key %j of a map with bool keys is rejected",
  (text) => {
    expect(() => parseMapKey(text, ScalarType.BOOL, "by_flag")).toThrow(
      expect.objectContaining({ code: "invalid-argument", reason: "map-key" }),
    );
  },
);
