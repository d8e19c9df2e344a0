import { expect, test } from "@jest/globals";
import * as api from "@tfxio/formats-protobuf";

test("exports these names", () => {
  expect(Object.keys(api).sort()).toEqual([
    "createMessageEncoder",
    "messageType",
    "parseProto",
    "protobuf",
    "protobufPayload",
  ]);
});
