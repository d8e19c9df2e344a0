import { expect, test } from "@jest/globals";
import * as formatsArrow from "@tfxio/formats-arrow";
import * as client from "@tfxio/formats-arrow/client";
import * as serve from "@tfxio/formats-arrow/serve";

test("@tfxio/formats-arrow and its subpaths client and serve export exactly these names", () => {
  expect(Object.keys(formatsArrow).sort()).toEqual(["arrow"]);
  expect(Object.keys(client).sort()).toEqual(["STREAM_CLIENT_RULES", "createStreamClient", "parseEndpoint"]);
  expect(Object.keys(serve).sort()).toEqual(["sendRecordBatches", "serveRecordBatches"]);
});
