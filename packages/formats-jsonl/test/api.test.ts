import { expect, test } from "@jest/globals";
import * as formatsJsonl from "@tfxio/formats-jsonl";

test("the public surface", () => {
  expect(Object.keys(formatsJsonl).sort()).toEqual(["jsonContainer", "jsonPayload", "jsonl"]);
});
