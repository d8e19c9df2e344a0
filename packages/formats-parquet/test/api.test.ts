import { expect, test } from "@jest/globals";
import * as api from "@tfxio/formats-parquet";

test("@tfxio/formats-parquet exports these names", () => {
  expect(Object.keys(api).sort()).toEqual(["parquet"]);
});
