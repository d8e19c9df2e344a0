import { describe, expect, test } from "@jest/globals";
import * as format from "@tfxio/format";
import * as testkit from "@tfxio/format/testkit";

describe("the public surface", () => {
  test("of the main entry", () => {
    expect(Object.keys(format).sort()).toEqual([
      "CONTRACT_VERSION",
      "createFormatRegistry",
      "defineFormat",
      "recordFormat",
    ]);
  });

  test("of the testkit", () => {
    expect(Object.keys(testkit).sort()).toEqual(["CheckFailure", "formatChecks"]);
  });
});
