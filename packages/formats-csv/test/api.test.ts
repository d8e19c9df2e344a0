import { expect, test } from "@jest/globals";
import * as formatsCsv from "@tfxio/formats-csv";

test("@tfxio/formats-csv exports only csv and tsv", () => {
  expect(Object.keys(formatsCsv).sort()).toEqual(["csv", "tsv"]);
});
