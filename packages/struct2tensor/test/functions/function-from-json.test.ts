import { describe, expect, test } from "@jest/globals";
import type { Json } from "../../src/expression/json.js";
import { functionFromJson } from "../../src/functions/function-from-json.js";

describe("a function read from JSON", () => {
  test.each<[Json, string]>([
    [null, "fn must be an object with name and args, found null."],
    ["lower", 'fn must be an object with name and args, found "lower".'],
    [{}, "fn.name must be the name of a built-in function, found undefined."],
    [{ name: "eval", args: [] }, 'fn.name must be the name of a built-in function, found "eval".'],
    [{ name: "hash", args: 3 }, "fn.args must be a list of valid arguments for hash, found 3."],
    [
      { name: "hash", args: [10, 1] },
      "fn.args must be a list of valid arguments for hash, found a list of length 2.",
    ],
  ])("is rejected if it is %j", (json, message) => {
    expect(() => functionFromJson(json)).toThrow(
      expect.objectContaining({ argument: "fn", message: `[invalid-argument] ${message}` }),
    );
  });
});
