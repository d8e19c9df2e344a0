import { describe, expect, test } from "@jest/globals";
import { parseProto } from "@tfxio/formats-protobuf";
import { recordToTensorTfxio, type Tfxio } from "@tfxio/io";
import {
  createDataView,
  createRecordDecoder,
  decodeDataView,
  encodeDataView,
  protoPlaceholder,
} from "@tfxio/struct2tensor";
import { encodeTfRecords, ProtoWriter, WireType } from "@tfxio/wire";
import { collect } from "../fixtures.js";

const type = await parseProto(
  `syntax = "proto2"; package shop;
   message Item { optional string sku = 1; repeated Part part = 2; }
   message Part { optional int64 n = 1; }
   message Order { optional int64 id = 1; repeated Item item = 2; }`,
  "shop.Order",
);

/** Bytes of an invalid field: a tag with an undefined wire type. */
const DAMAGE = Uint8Array.of(0x0f);

/** Encodes an `Order` with an invalid item or an invalid part. A read fails only if it parses the invalid message. */
function orderWithDamagedItem(depth: "item" | "part"): Uint8Array {
  const writer = new ProtoWriter().tag(1, WireType.varint).varint32(7).tag(2, WireType.lengthDelimited);
  if (depth === "item") return writer.lengthDelimited(DAMAGE).finish();
  const item = writer.beginMessage();
  writer
    .tag(1, WireType.lengthDelimited)
    .string("pen")
    .tag(2, WireType.lengthDelimited)
    .lengthDelimited(DAMAGE);
  return writer.endMessage(item).finish();
}

/** Opens a file of one order with the decoder of a saved view. */
async function openOrder(record: Uint8Array): Promise<Tfxio> {
  const view = await createDataView(protoPlaceholder(type), {
    outputs: {
      id: { path: "id", view: "dense" },
      sku: { path: "item.sku", view: "ragged" },
      n: { path: "item.part.n", view: "ragged" },
    },
  });
  const decoder = createRecordDecoder(await decodeDataView(await encodeDataView(view)));
  return recordToTensorTfxio({ sources: await encodeTfRecords([record]), decoder });
}

const rowsOf = (tfxio: Tfxio): Promise<unknown[]> => collect(tfxio.rows());

describe("a projection of a saved view", () => {
  test("skips messages that no tensor needs", async () => {
    const order = await openOrder(orderWithDamagedItem("item"));
    expect(await rowsOf(order.project(["id"]))).toEqual([{ id: [7] }]);
    await expect(rowsOf(order.project(["sku"]))).rejects.toMatchObject({ code: "malformed-payload" });
    await expect(rowsOf(order)).rejects.toMatchObject({ code: "malformed-payload" });
  });

  test("reads a message but skips submessages that no tensor needs", async () => {
    const order = await openOrder(orderWithDamagedItem("part"));
    expect(await rowsOf(order.project(["id", "sku"]))).toEqual([{ id: [7], sku: [["pen"]] }]);
    await expect(rowsOf(order.project(["id", "n"]))).rejects.toMatchObject({ code: "malformed-payload" });
  });

  test("skips messages that no tensor needs, even when read as a dataset", async () => {
    const order = await openOrder(orderWithDamagedItem("item"));
    const [element] = await order.project(["id"]).dataset({ batchSize: 1, shuffle: false }).toArray();
    expect(element).toMatchObject({ id: { kind: "dense" } });
  });
});
