import { expect, test } from "@jest/globals";
import * as api from "@tfxio/formats-protobuf";

test("@tfxio/formats-protobuf exports only its public API", () => {
  expect(Object.keys(api).sort()).toEqual([
    "createMessageEncoder",
    "messageType",
    "parseProto",
    "protobuf",
    "protobufPayload",
  ]);
});
