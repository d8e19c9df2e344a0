import { describe, expect, test } from "@jest/globals";
import * as format from "@tfxio/format";
import * as containers from "@tfxio/format/containers";
import * as testkit from "@tfxio/format/testkit";

describe("the public surface", () => {
  test("of the main entry", () => {
    expect(Object.keys(format).sort()).toEqual([
      "CONTRACT_VERSION",
      "MIN_CONTRACT_VERSION",
      "createFormatRegistry",
      "decodeRecords",
      "defineFormat",
      "isDelimitedText",
      "isLendingPlan",
      "onePassSource",
      "overlayLimits",
      "recordFormat",
    ]);
  });

  test("of the containers", () => {
    expect(Object.keys(containers).sort()).toEqual([
      "cutsBehind",
      "findLines",
      "fixedLengthContainer",
      "linesContainer",
      "recordBlocks",
      "sizeDelimitedContainer",
    ]);
  });

  test("of the testkit", () => {
    expect(Object.keys(testkit).sort()).toEqual(["CheckFailure", "formatChecks"]);
  });
});
