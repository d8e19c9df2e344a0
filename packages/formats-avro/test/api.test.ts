import { expect, test } from "@jest/globals";
import * as api from "@tfxio/formats-avro";

test("@tfxio/formats-avro exports these names", () => {
  expect(Object.keys(api).sort()).toEqual(["avro", "avroPayload"]);
});
