import { expect, test } from "@jest/globals";
import * as struct2tensor from "@tfxio/struct2tensor";

test("@tfxio/struct2tensor exports exactly the listed names", () => {
  expect(Object.keys(struct2tensor).sort()).toEqual([
    "Expression",
    "Path",
    "Prensor",
    "batchPlaceholder",
    "calculate",
    "calculateBatches",
    "createDataView",
    "createQueryModel",
    "createQueryPlan",
    "createRecordDecoder",
    "createSavedModelView",
    "createSavedQueryModel",
    "dataViewDecoder",
    "decodeDataView",
    "deepestPaths",
    "encodeDataView",
    "expandWildcards",
    "fromFileDescriptorSet",
    "fromPrensor",
    "fromProto",
    "fromReader",
    "fromRecordBatch",
    "fromStructuredTensor",
    "modelViewDecoder",
    "placeholder",
    "prensorOf",
    "protoPlaceholder",
    "toRecordBatch",
    "toStructuredTensor",
    "typeNameOfStep",
    "valueFunctions",
  ]);
});
