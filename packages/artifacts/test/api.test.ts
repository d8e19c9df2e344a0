import { expect, test } from "@jest/globals";
import * as api from "@tfxio/artifacts";

test("@tfxio/artifacts exports these names", () => {
  expect(Object.keys(api).sort()).toEqual(["SqlFailure", "openMetadataStore"]);
});
