import { expect, test } from "@jest/globals";
import * as api from "../src/index.js";

test("@tfxio/arrow-encoding exports these names", () => {
  expect(Object.keys(api).sort()).toEqual([
    "BytesColumn",
    "columnElements",
    "concatBatches",
    "createExampleDecoder",
    "encodeExample",
    "fieldElements",
    "firstNull",
    "flatValues",
    "gatherRows",
    "inferSchemaFromBatches",
    "isBytesType",
    "isFlatType",
    "isListType",
    "listColumn",
    "listElements",
    "nullMask",
    "takeRows",
  ]);
});
