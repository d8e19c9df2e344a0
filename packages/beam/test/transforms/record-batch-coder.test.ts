import { beforeAll, expect, jest, test } from "@jest/globals";
import { createExampleDecoder, encodeExample, plainRows } from "@tfxio/arrow-encoding";
import { defineSchema, int } from "@tfxio/schema";
import { loadSdk, type Sdk } from "../../src/compat/sdk.js";
import { recordBatchCoder } from "../../src/transforms/record-batch-coder.js";

let sdk: Sdk;
beforeAll(() => {
  // loadSdk replaces a missing @google-cloud/pubsub with an empty module, but jest's module loader ignores that.
  jest.mock("@google-cloud/pubsub", () => ({}), { virtual: true });
  sdk = loadSdk();
});

const decoder = createExampleDecoder({ schema: defineSchema({ features: { id: int() } }) });
const batchOf = (id: number) => decoder.decode([encodeExample({ id: { kind: "int64", values: [id] } })]);

test("several batches in one stream are decoded one by one", () => {
  const coder = recordBatchCoder(sdk);
  const { needsDelimiters } = sdk.codersRegistry.Context;
  const writer = new sdk.protobuf.Writer();
  for (const id of [1, 2, 3]) coder.encode(batchOf(id), writer as never, needsDelimiters);
  const reader = new sdk.protobuf.Reader(writer.finish());
  const ids = [1, 2, 3].map(() => plainRows(coder.decode(reader as never, needsDelimiters))[0]?.["id"]);
  expect(ids).toEqual([[1], [2], [3]]);
});

test("a batch has no length prefix if it is the entire stream", () => {
  const coder = recordBatchCoder(sdk);
  const { wholeStream } = sdk.codersRegistry.Context;
  const writer = new sdk.protobuf.Writer();
  coder.encode(batchOf(7), writer as never, wholeStream);
  const bytes = writer.finish();
  expect([...bytes.subarray(0, 4)]).toEqual([0xff, 0xff, 0xff, 0xff]); // the continuation marker of an IPC message
  const again = coder.decode(new sdk.protobuf.Reader(bytes) as never, wholeStream);
  expect(plainRows(again)).toEqual([{ id: [7] }]);
});

test("the global registry of coders finds the coder of record batches by its URN", () => {
  const coder = recordBatchCoder(sdk);
  const { urn = "" } = coder.toProto({ getCoderId: () => "" }).spec ?? {};
  const found = sdk.codersRegistry.globalRegistry().getCoder(urn);
  expect(found.constructor.name).toBe("RecordBatchCoder");
});
