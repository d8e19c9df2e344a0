import { expect, test } from "@jest/globals";
import * as api from "@tfxio/formats-parquet";

test("@tfxio/formats-parquet exports only parquet", () => {
  expect(Object.keys(api).sort()).toEqual(["parquet"]);
});
