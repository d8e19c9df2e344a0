import { describe, expect, test } from "@jest/globals";
import * as format from "@tfxio/format";
import * as containers from "@tfxio/format/containers";
import * as testkit from "@tfxio/format/testkit";

describe("@tfxio/format", () => {
  test("exports exactly the listed names", () => {
    expect(Object.keys(format).sort()).toEqual([
      "CONTRACT_VERSION",
      "MIN_CONTRACT_VERSION",
      "createFormatRegistry",
      "decodeRecords",
      "defineFormat",
      "isDelimitedText",
      "isLendingPlan",
      "loadOwnBatch",
      "onePassSource",
      "overlayLimits",
      "recordFormat",
    ]);
  });

  test("exports exactly the listed names from ./containers", () => {
    expect(Object.keys(containers).sort()).toEqual([
      "cutsBehind",
      "findLines",
      "fixedLengthContainer",
      "linesContainer",
      "recordBlocks",
      "sizeDelimitedContainer",
    ]);
  });

  test("exports exactly the listed names from ./testkit", () => {
    expect(Object.keys(testkit).sort()).toEqual(["CheckFailure", "formatChecks"]);
  });
});
