import { spawnSync } from "node:child_process";
import { describe, expect, test } from "@jest/globals";
import { parseProto } from "@tfxio/formats-protobuf";
import {
  createDataView,
  createRecordDecoder,
  type DataView,
  decodeDataView,
  encodeDataView,
  type Expression,
  fromPrensor,
  fromProto,
  prensorOf,
  protoPlaceholder,
  valueFunctions as fn,
} from "@tfxio/struct2tensor";
import { TensorAdapter } from "@tfxio/tensor-adapter";
import { canonicalJson } from "../../src/saved/canonical-json.js";

const proto = `syntax = "proto2"; package shop;
  message Unused { optional string text = 1; }
  message Item { optional string sku = 1; repeated string tag = 2; optional bool kept = 3; repeated int64 n = 4; }
  message Order { optional int64 id = 1; repeated Item item = 2; optional Order before = 3; map<string, Item> gift = 4; }`;

const order = async (name = "records"): Promise<Expression> =>
  protoPlaceholder(await parseProto(proto, "shop.Order"), { name, messageFormat: "json" });

/** Messages of type `Order`, as proto JSON. */
const records = [
  {
    id: "1",
    item: [
      { sku: "a", tag: ["x", "y"], kept: true, n: ["1"] },
      { sku: "b", tag: ["z"] },
    ],
  },
  {},
  { id: "3", item: [{ sku: "c", kept: true, n: ["5", "6"] }], gift: { red: { sku: "r" } } },
].map((record) => new TextEncoder().encode(JSON.stringify(record)));

async function rich(name?: string): Promise<DataView> {
  const query = (await order(name))
    .filterByChild("item", "kept", "kept_item")
    .slice("kept_item", "first", { end: 1 })
    .promote("first.tag", "tags")
    .broadcast("id", "item", "order_id")
    .size("item", "num_items")
    .positionalIndex("item.tag", "at")
    .mapFieldValues("item.sku", fn.vocabulary(["a", "c"]), { as: "sku_id" })
    .mapRaggedTensors("item", ["n"], fn.multiply(2n), { as: "doubled", dtype: "int64" })
    .fill("id", 7n, "id_or_7");
  return createDataView(query, {
    outputs: {
      tags: { path: "tags", view: "ragged" },
      kept: { path: "kept_item.tag", view: "ragged" },
      order_id: { path: "item.order_id", view: "sparse" },
      num_items: { path: "num_items", view: "dense" },
      sku_id: { path: "item.sku_id", view: "dense", shape: [2], defaultValue: -5n },
      red: { path: "gift[red].sku", view: "ragged" },
      at: { path: "item.at", view: "sparse" },
      doubled: { path: "item.doubled", view: "ragged" },
      id: { path: "id_or_7", view: "dense" },
    },
  });
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe("a DataView", () => {
  test("returns the same tensors after saving and loading", async () => {
    const view = await rich();
    const loaded = await decodeDataView(await encodeDataView(view));
    const before = createRecordDecoder(view).decode(records);
    const after = createRecordDecoder(loaded).decode(records);
    expect(after.tensors).toEqual(before.tensors);
    expect([...(after.tensors["num_items"]!.values as BigInt64Array)]).toEqual([2n, 0n, 1n]);
    expect([...(after.tensors["sku_id"]!.values as BigInt64Array)]).toEqual([0n, -1n, -5n, -5n, 1n, -5n]);
    expect([...(after.tensors["id"]!.values as BigInt64Array)]).toEqual([1n, 7n, 3n]);
    expect([...(after.tensors["doubled"]!.values as BigInt64Array)]).toEqual([2n, 10n, 12n]);
    expect(after.tensors["tags"]).toMatchObject({ nestedRowSplits: [Int32Array.of(0, 2, 2, 2)] });
  });

  test("decodes the records that it is given, even if its query is bound to other records", async () => {
    const type = await parseProto(proto, "shop.Order");
    const bound = fromProto([records[0]!], type, { messageFormat: "json" });
    const view = await createDataView(bound, {
      outputs: { id: { path: "id", view: "dense", defaultValue: 0n } },
    });
    const { tensors } = createRecordDecoder(view).decode([records[2]!, records[1]!]);
    expect(tensors["id"]!.values).toEqual(BigInt64Array.of(3n, 0n));
  });

  test("has the same bytes after loading and saving again, and with a different source name", async () => {
    const files = await encodeDataView(await rich());
    expect(await encodeDataView(await decodeDataView(files))).toEqual(files);
    expect(await encodeDataView(await rich("events"))).toEqual(files);
  });

  test("has the same bytes with its operators and outputs in a different order, and with an unused operator", async () => {
    const query = await order();
    const outputs = {
      a: { path: "a", view: "ragged" },
      b: { path: "b", view: "ragged" },
    } as const;
    const one = query.promote("item.sku", "a").promote("item.tag", "b");
    const two = query.promote("item.tag", "b").promote("item.sku", "a").size("item", "unused");
    const files = await encodeDataView(await createDataView(one, { outputs }));
    const others = await createDataView(two, { outputs: { b: outputs.b, a: outputs.a } });
    expect(await encodeDataView(others)).toEqual(files);
  });

  test("has the same files if another process builds the query in a different order", async () => {
    const program = `
      import { parseProto } from "@tfxio/formats-protobuf";
      import { createDataView, encodeDataView, protoPlaceholder } from "@tfxio/struct2tensor";
      const type = await parseProto(process.argv[1], "shop.Order");
      const query = protoPlaceholder(type).size("item", "z").promote("item.tag", "b").promote("item.sku", "a");
      const outputs = { b: { view: "ragged", path: "b" }, a: { view: "ragged", path: "a" } };
      const files = await encodeDataView(await createDataView(query, { outputs }));
      console.log(JSON.stringify([...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")])));`;
    const child = spawnSync(process.execPath, ["--input-type=module", "-e", program, proto], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    });
    expect(child.stderr).toBe("");
    const query = protoPlaceholder(await parseProto(proto, "shop.Order"));
    const view = await createDataView(query.promote("item.sku", "a").promote("item.tag", "b"), {
      outputs: { a: { path: "a", view: "ragged" }, b: { path: "b", view: "ragged" } },
    });
    const files = await encodeDataView(view);
    const expected = [...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]);
    expect(JSON.parse(child.stdout)).toEqual(expected);
  });

  test("has its manifest as the last file, contains only the reachable types, and states how messages are read", async () => {
    const files = await encodeDataView(await rich());
    expect([...files.keys()]).toEqual(["descriptors.binpb", "graph.json", "signature.json", "dataview.json"]);
    const descriptors = textOf(files.get("descriptors.binpb")!);
    expect(descriptors).toContain("Item");
    expect(descriptors).not.toContain("Unused");
    const { semantics, messageFormat } = JSON.parse(textOf(files.get("dataview.json")!)) as Record<
      string,
      unknown
    >;
    expect(messageFormat).toBe("json");
    expect(semantics).toEqual({
      anyEmptyValue: "present",
      implicitDefaults: false,
      oneof: "last",
      onMalformed: "error",
      singularMessage: "merge",
    });
  });

  test("lists the source paths of each output", async () => {
    const files = await encodeDataView(await rich());
    const { outputs } = JSON.parse(textOf(files.get("signature.json")!)) as {
      readonly outputs: readonly { readonly name: string; readonly sourcePaths: readonly string[] }[];
    };
    const paths = Object.fromEntries(outputs.map(({ name, sourcePaths }) => [name, sourcePaths]));
    expect(paths).toMatchObject({
      num_items: ["item"],
      kept: ["item.kept", "item.tag"],
      order_id: ["id", "item"],
      red: ["gift[red].sku"],
    });
  });

  test("keeps its reroot and the record index of each row after saving and loading", async () => {
    const rows = (await order()).reroot("item").protoIndex("record");
    const view = await createDataView(rows, {
      outputs: { sku: { path: "sku", view: "ragged" }, record: { path: "record", view: "ragged" } },
      recordIndex: "record",
    });
    const loaded = await decodeDataView(await encodeDataView(view));
    expect(loaded.recordIndex).toBe("record");
    expect(createRecordDecoder(loaded).decode(records).recordIndices).toEqual(Int32Array.of(0, 0, 2));
  });

  test("cannot be saved with a callback, and the error names the callback's node", async () => {
    const query = await order();
    const mapped = query.mapFieldValues("id", (values) => values, { as: "same", dtype: "int64" });
    const view = await createDataView(mapped, { outputs: { same: { path: "same", view: "ragged" } } });
    await expect(encodeDataView(view)).rejects.toMatchObject({
      code: "unsupported",
      reason: "not-serializable",
      feature: "the node mapFieldValues",
      message: expect.stringContaining("saved: the node mapFieldValues calls a callback, which"),
    });
    const changed = query.transformField("item", "other", (payloads) => payloads);
    const other = await createDataView(changed, { outputs: { sku: { path: "other.sku", view: "ragged" } } });
    await expect(encodeDataView(other)).rejects.toMatchObject({
      reason: "not-serializable",
      message: expect.stringContaining("it uses transformField, whose function cannot be saved."),
    });
  });

  test("cannot have a source other than protobuf messages, or be saved with a bool output", async () => {
    const prensor = prensorOf({
      "": { kind: "root", size: 1 },
      a: {
        kind: "leaf",
        isRepeated: false,
        dtype: "int32",
        parentIndex: Int32Array.of(0),
        values: Int32Array.of(1),
      },
    });
    const outputs = { a: { path: "a", view: "ragged" } } as const;
    await expect(createDataView(fromPrensor(prensor), { outputs })).rejects.toMatchObject({
      reason: "not-serializable",
      message: expect.stringMatching(
        /it must have exactly one source, of protobuf messages; found prensor "\w*"\.$/,
      ),
    });
    const bool = await createDataView(await order(), {
      outputs: { b: { path: "item.kept", view: "ragged" } },
    });
    await expect(encodeDataView(bool)).rejects.toMatchObject({ reason: "no-handler", tensorName: "b" });
  });

  test("is rejected at creation if its outputs or its record index are invalid", async () => {
    const query = await order();
    const made = (outputs: object, recordIndex?: string): Promise<DataView> =>
      createDataView(query, { outputs: outputs as never, recordIndex });
    const id = { path: "id", view: "ragged" };
    await expect(made({})).rejects.toMatchObject({ code: "invalid-argument" });
    await expect(made({ a: { ...id, path: "item" } })).rejects.toMatchObject({ reason: "not-a-leaf" });
    await expect(made({ a: { ...id, path: "nope" } })).rejects.toMatchObject({ reason: "unknown-column" });
    await expect(made({ a: { path: "item.tag", view: "dense" } })).rejects.toMatchObject({
      code: "invalid-argument",
    });
    await expect(made({ a: { ...id, defaultValue: 0 } })).rejects.toThrow(
      'outputs.a.view must be "dense" if shape or defaultValue is given, found "ragged".',
    );
    await expect(made({ id }, "")).rejects.toMatchObject({ reason: "record-index-missing" });
    await expect(made({ id }, "other")).rejects.toMatchObject({ reason: "record-index-missing" });
    const sku = { path: "item.sku", view: "ragged" };
    await expect(made({ sku }, "sku")).rejects.toMatchObject({ reason: "record-index-type" });
  });
});

describe("a record decoder", () => {
  test("returns batches from which TensorAdapter restores the tensors", async () => {
    const decoder = createRecordDecoder(await rich());
    const { arrowSchema, tensorRepresentations } = decoder;
    const { batch, tensors } = decoder.decode(records);
    const adapter = new TensorAdapter({ arrowSchema, tensorRepresentations });
    const again = adapter.toHost(batch) as Record<string, object>;
    for (const [name, { borrowed: _, ...tensor }] of Object.entries(tensors)) {
      // The record batch does not store the dense shape of a sparse tensor of rank 3.
      const open = name === "at" ? { denseShape: [3, -1, -1] } : {};
      expect([name, again[name]]).toMatchObject([name, { ...tensor, ...open }]);
    }
    expect(arrowSchema.fields.map(({ name }) => name).slice(0, 2)).toEqual(["at$values", "at$index0"]);
  });

  test("projects to the requested tensors and the record index, and rejects an unknown tensor", async () => {
    const rows = (await order()).reroot("item").protoIndex("record");
    const view = await createDataView(rows, {
      outputs: {
        sku: { path: "sku", view: "ragged" },
        tag: { path: "tag", view: "ragged" },
        record: { path: "record", view: "ragged" },
      },
      recordIndex: "record",
    });
    const projected = await createRecordDecoder(view).project(["sku"]);
    expect(projected.arrowSchema.fields.map(({ name }) => name)).toEqual(["record", "sku"]);
    await expect(createRecordDecoder(view).project(["nope"])).rejects.toMatchObject({
      reason: "unknown-tensor",
    });
  });

  test("rejects a batch with fewer or more rows than records if the view has no record index", async () => {
    const view = await createDataView((await order()).reroot("item"), {
      outputs: { sku: { path: "sku", view: "ragged" } },
    });
    const decoder = createRecordDecoder(view);
    expect(() => decoder.decode(records.slice(0, 1))).toThrow(
      expect.objectContaining({ reason: "row-count" }),
    );
  });

  test("rejects a record index that has no value for a row, or a value beyond the last record", async () => {
    const byId = await createDataView(await order(), {
      outputs: { id: { path: "id", view: "ragged" } },
      recordIndex: "id",
    });
    const decoder = createRecordDecoder(byId);
    expect(() => decoder.decode(records)).toThrow(
      expect.objectContaining({ reason: "record-index-value", row: 1 }),
    );
    expect(() => decoder.decode(records.slice(0, 1))).toThrow(
      expect.objectContaining({ reason: "record-index-value", row: 0 }),
    );
  });
});

// Numbers are written as ECMAScript's Number.prototype.toString writes them: RFC 8785, section 3.2.2.3 and appendix B.
test.each([
  [{ b: 1, a: [true, null, "\u20ac\n"] }, '{"a":[true,null,"€\\n"],"b":1}'],
  [[0.1 + 0.2, 1e30, 4.5, 2e-3, 1e-27], "[0.30000000000000004,1e+30,4.5,0.002,1e-27]"],
  [
    { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\u{1f600}": 5, "\u0080": 6 },
    '{"\\r":2,"1":4,"\u0080":6,"€":1,"😀":5,"\ufb33":3}',
  ],
])("canonicalJson writes %j as RFC 8785 requires", (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});
