import { describe, expect, test } from "@jest/globals";
import { type MessageType, parseProto } from "@tfxio/formats-protobuf";
import { createQueryPlan, placeholder, protoPlaceholder, valueFunctions as fn } from "@tfxio/struct2tensor";

const proto = `syntax = "proto2"; package shop;
  message Item { optional string sku = 1; repeated string tag = 2; optional bool kept = 3; }
  message Order { optional int64 id = 1; repeated Item item = 2; optional Order before = 3; map<string, Item> gift = 4; }`;

async function orders(): Promise<MessageType> {
  return parseProto(proto, "shop.Order");
}

const opsOf = (nodes: readonly { readonly node: { readonly op: string } }[]): string[] =>
  nodes.map(({ node }) => node.op);

describe("a plan", () => {
  test("computes equal nodes only once across all of its outputs", async () => {
    const order = protoPlaceholder(await orders());
    const twice = order
      .promote("item.sku", "a")
      .promote("item.sku", "b")
      .mapFieldValues("a", fn.length(), { as: "n" })
      .mapFieldValues("b", fn.length(), { as: "m" })
      .project(["a", "b", "n", "m"]);
    const { nodes } = await createQueryPlan([twice, order.promote("item.sku", "c").project(["c"])]);
    expect(opsOf(nodes).filter((op) => op !== "field" && op !== "root")).toEqual([
      "promote",
      "mapFieldValues",
    ]);
  });

  test("computes nodes separately if their attributes, functions or sources differ", async () => {
    const type = await orders();
    const order = protoPlaceholder(type);
    const sliced = order.slice("item", "a", { begin: 1 }).slice("item", "b", { end: 1 }).project(["a", "b"]);
    expect(opsOf((await createQueryPlan([sliced])).nodes).filter((op) => op === "slice")).toHaveLength(2);
    const callback = (): Int32Array => new Int32Array(0);
    const other = (): Int32Array => new Int32Array(0);
    const mapped = ["a", "b", "c"].reduce(
      (query, as, index) => query.mapFieldValues("id", index < 2 ? callback : other, { as, dtype: "int32" }),
      order,
    );
    const plan = await createQueryPlan([mapped.project(["a", "b", "c"])]);
    expect(opsOf(plan.nodes).filter((op) => op === "mapFieldValues")).toHaveLength(2);
    const two = await createQueryPlan([
      order.project(["id"]),
      protoPlaceholder(type, { name: "others" }).project(["id"]),
    ]);
    expect(two.sourcePaths).toMatchObject({ records: [{ steps: ["id"] }], others: [{ steps: ["id"] }] });
  });

  test("lists the source paths that each output needs, and reads no path for the root", async () => {
    const order = protoPlaceholder(await orders());
    const query = order.size("item", "n").promote("item.tag", "tags").project(["n", "tags", ""]);
    const plan = await createQueryPlan([query]);
    const pathsOf = Object.fromEntries(
      plan.outputs[0]!.map((output) => [
        output.path.toString(),
        plan.sourcePathsOf(output)["records"]?.map(String),
      ]),
    );
    expect(pathsOf).toEqual({ "": [], n: ["item"], tags: ["item.tag"] });
    const root = await createQueryPlan([order.project([""])]);
    expect(root.sourcePaths).toEqual({ records: [] });
    expect(root.calculate({ records: [Uint8Array.of(255)] }).prensors[0]!.node).toEqual({
      kind: "root",
      size: 1,
    });
  });

  test("explains what it reads, skips and computes", async () => {
    const order = protoPlaceholder(await orders());
    const plan = await createQueryPlan([
      order.slice("item", "last", { begin: -1 }).project(["last.sku", "id"]),
    ]);
    expect(plan.explain().split("\n")).toEqual([
      "source records (protobuf): reads 2 paths",
      "  id",
      "  item.sku",
      "  skips in the root: before, gift",
      "  skips in item: tag, kept",
      "computes",
      "  #0 root: root → the root",
      "  #1 field id of #0: optional int64 → id",
      "  #2 field item of #0: repeated message",
      '  #3 slice {"begin":-1,"end":null} of #2: repeated message → last',
      "  #4 field item.sku of #0: optional string",
      "  #5 descend of #4, #3: optional string → last.sku",
    ]);
  });

  test("rejects a recursive type unless the depth is limited", async () => {
    const order = protoPlaceholder(await orders());
    await expect(createQueryPlan([order])).rejects.toMatchObject({ reason: "recursive-type" });
    const limited = await createQueryPlan([order.limitDepth(1)]);
    expect(limited.outputs[0]!.map(({ path }) => `${path}`)).toEqual(["", "id", "item", "before", "gift"]);
  });

  test("accepts a message that is broadcast into its own descendant, but still rejects a recursive type", async () => {
    const type = await parseProto(
      'syntax = "proto3"; message A { B b = 1; } message B { repeated C c = 1; } message C { int32 v = 1; }',
      "A",
    );
    const copied = protoPlaceholder(type).promoteAndBroadcast({ again: "b" }, "b.c");
    const { outputs } = await createQueryPlan([copied]);
    expect(outputs[0]!.map(({ path }) => `${path}`)).toContain("b.c.again.c.v");
    const order = protoPlaceholder(await orders())
      .broadcast("before", "item", "x")
      .project(["item"]);
    await expect(createQueryPlan([order])).resolves.toBeDefined();
    const endless = protoPlaceholder(await orders())
      .addPaths({ copy: "before" })
      .reroot("copy");
    await expect(createQueryPlan([endless])).rejects.toMatchObject({ reason: "recursive-type" });
  });

  test("rejects a value that is not an expression, and a map key of the wrong type", async () => {
    await expect(createQueryPlan({} as never)).rejects.toThrow("expressions must be a list of Expressions");
    await expect(createQueryPlan([null as never])).rejects.toThrow(
      "expressions[0] must be an Expression, found null.",
    );
    const counts = protoPlaceholder(
      await parseProto('syntax = "proto3"; message M { map<int32, bool> m = 1; }', "M"),
    );
    await expect(createQueryPlan([counts.project(["m[x]"])])).rejects.toMatchObject({ reason: "map-key" });
  });

  test("is built from immutable expressions: an operator returns a new expression instead of changing the old one", () => {
    const before = placeholder({ a: { isRepeated: true, fields: { b: { dtype: "int32" } } } });
    const after = before.promote("a.b", "c");
    expect([before.has("c"), after.has("c"), after.has("a.b")]).toEqual([false, true, true]);
  });
});
