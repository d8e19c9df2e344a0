import { expect, test } from "@jest/globals";
import * as formatsArrow from "@tfxio/formats-arrow";

test("the public surface", () => {
  expect(Object.keys(formatsArrow).sort()).toEqual(["arrow"]);
});
