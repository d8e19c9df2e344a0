import { expect, test } from "@jest/globals";
import * as formatsJsonl from "@tfxio/formats-jsonl";

test("@tfxio/formats-jsonl exports only jsonl, jsonContainer and jsonPayload", () => {
  expect(Object.keys(formatsJsonl).sort()).toEqual(["jsonContainer", "jsonPayload", "jsonl"]);
});
