import { expect, test } from "@jest/globals";
import * as api from "@tfxio/artifacts";

test("@tfxio/artifacts exports exactly the listed names", () => {
  expect(Object.keys(api).sort()).toEqual([
    "SqlFailure",
    "artifactLabel",
    "dataViewBinder",
    "dataViewProvider",
    "examplesOf",
    "examplesWriter",
    "executionLabel",
    "keepLargestGroups",
    "keepNewest",
    "lineageMermaid",
    "lineageText",
    "localFiles",
    "markForDeletion",
    "openExamples",
    "openMetadataStore",
    "planSweep",
    "publishExamples",
    "resolveExamples",
    "runComponent",
    "startExecution",
    "storedFiles",
    "sweep",
  ]);
});
