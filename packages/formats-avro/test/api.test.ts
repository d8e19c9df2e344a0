import { expect, test } from "@jest/globals";
import * as api from "@tfxio/formats-avro";

test("@tfxio/formats-avro exports only avro and avroPayload", () => {
  expect(Object.keys(api).sort()).toEqual(["avro", "avroPayload"]);
});
