import { expect, test } from "@jest/globals";
import * as formatsCsv from "@tfxio/formats-csv";

test("the public surface", () => {
  expect(Object.keys(formatsCsv).sort()).toEqual(["csv", "tsv"]);
});
