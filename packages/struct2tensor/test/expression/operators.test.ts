import { describe, expect, test } from "@jest/globals";
import { parseProto } from "@tfxio/formats-protobuf";
import { formatSchemaText, parseSchemaText } from "@tfxio/schema";
import {
  calculate,
  createQueryPlan,
  expandWildcards,
  type Expression,
  fromPrensor,
  Path,
  Prensor,
  type PrensorCallback,
  prensorOf,
  protoPlaceholder,
} from "@tfxio/struct2tensor";
import { arrayOf, flattenPrensor } from "../naive/data.js";
import { thrownBy } from "../thrown-by.js";

function trips(): Expression {
  return fromPrensor(
    prensorOf({
      "": { kind: "root", size: 2 },
      stop: { kind: "child", isRepeated: true, parentIndex: Int32Array.of(0, 0, 1) },
      "stop.n": {
        kind: "leaf",
        isRepeated: true,
        parentIndex: Int32Array.of(0, 0, 2),
        dtype: "int32",
        values: Int32Array.of(1, 2, 3),
      },
      "stop.city": {
        kind: "leaf",
        isRepeated: false,
        parentIndex: Int32Array.of(1),
        dtype: "string",
        values: arrayOf("string", ["Oslo"]),
      },
    }),
  );
}

/** Returns a prensor with one message `m` per row, whose leaf `v` has the values of the leaf `n`. */
const nest: PrensorCallback = (prensor) => {
  const size = prensor.node.kind === "root" ? prensor.node.size : 0;
  const parentIndex = Int32Array.from({ length: size }, (_, row) => row);
  return new Prensor({ kind: "root", size }, [
    [
      "m",
      new Prensor({ kind: "child", isRepeated: false, parentIndex }, [["v", new Prensor(prensor.leaf("n"))]]),
    ],
  ]);
};
const nested = { m: { fields: { v: { dtype: "int32", isRepeated: true } } } } as const;

describe("mapPrensor", () => {
  test("passes the messages to the callback as rows, and adds the returned fields to the messages", async () => {
    const query = trips().mapPrensor("stop", ["n"], nest, nested).promote("stop.m.v", "w");
    expect(flattenPrensor(await calculate(query.project(["stop.m.v", "stop.w"])))).toMatchObject({
      "stop.m": { isRepeated: false, parentIndex: [0, 1, 2] },
      "stop.m.v": { parentIndex: [0, 0, 2], values: [1, 2, 3] },
      "stop.w": { parentIndex: [0, 0, 2], values: [1, 2, 3] },
    });
  });

  test("rejects a result that is not a prensor or does not match the declared schema or the number of rows", async () => {
    const other = trips().mapPrensor("stop", ["n"], nest, {
      m: { fields: { v: { dtype: "int64", isRepeated: true } } },
    });
    await expect(calculate(other)).rejects.toThrow(
      "must return repeated int64, as declared, found repeated int32",
    );
    const missing = trips().mapPrensor("stop", ["n"], nest, { x: { dtype: "int32" } });
    await expect(calculate(missing)).rejects.toThrow('must return the field "x"');
    const short = trips().mapPrensor("stop", ["n"], () => new Prensor({ kind: "root", size: 1 }), nested);
    await expect(calculate(short)).rejects.toMatchObject({ reason: "expression-shape" });
    const none = trips().mapPrensor("stop", ["n"], () => 3 as never, nested);
    await expect(calculate(none)).rejects.toThrow("must return a Prensor, found 3.");
    await expect(calculate(none)).rejects.toMatchObject({ code: "user-function" });
  });
});

describe("addTo", () => {
  test("adds fields from another expression over the same data", async () => {
    const base = trips();
    const sliced = base.slice("stop", "s", { begin: 1 });
    const joined = base.addTo(sliced.size("stop.n", "k"), { "stop.k": "stop.k", s: "s" });
    expect(flattenPrensor(await calculate(joined.project(["stop.k", "s.n"])))).toMatchObject({
      "stop.k": { values: [2n, 0n, 1n] },
      "s.n": { parentIndex: [], values: [] },
    });
  });

  test("rejects fields from a different source, fields whose parent is not the target's parent, and the root", () => {
    expect(thrownBy(() => trips().addTo(trips(), { x: "stop" }))).toMatchObject({ reason: "other-parent" });
    const base = trips();
    const filtered = base.slice("stop", "s", { begin: 0 });
    expect(thrownBy(() => base.addTo(filtered, { "stop.x": "s.n" }))).toMatchObject({
      reason: "other-parent",
    });
    expect(thrownBy(() => base.addTo(filtered, { x: "" }))).toMatchObject({ reason: "other-parent" });
  });
});

describe("features of a schema", () => {
  test("stay with their fields, are copied to promoted fields, and are rejected if no field has their name", () => {
    const ofStop =
      'feature { name: "stop" type: STRUCT struct_domain { feature { name: "n" type: INT int_domain { min: 1 } } } }';
    const ofAll = 'feature { name: "all" type: INT int_domain { min: 1 } lifecycle_stage: UNKNOWN_STAGE }';
    const query = trips().applySchema(parseSchemaText(ofStop)).promote("stop.n", "all");
    expect(formatSchemaText(query.getSchema())).toBe(formatSchemaText(parseSchemaText(`${ofStop} ${ofAll}`)));
    expect(thrownBy(() => trips().applySchema(parseSchemaText('feature { name: "x" }')))).toMatchObject({
      reason: "unknown-column",
      columnPath: "x",
    });
    const ofOther = 'feature { name: "stop" struct_domain { feature { name: "x" } } }';
    expect(thrownBy(() => trips().applySchema(parseSchemaText(ofOther)))).toMatchObject({
      reason: "unknown-column",
      columnPath: "stop.x",
    });
  });

  test("cannot be derived from a message type that contains itself, unless the depth is limited", async () => {
    const type = await parseProto(
      'syntax = "proto3"; message T { int64 id = 1; repeated T child = 2; }',
      "T",
    );
    const tree = protoPlaceholder(type);
    expect(thrownBy(() => tree.getSchema())).toMatchObject({ reason: "recursive-type" });
    expect(tree.limitDepth(3).getSchema().feature).toEqual([]);
  });
});

test("the wildcard * selects leaves in declaration order if it is alone, but in name order after other steps", async () => {
  const type = await parseProto(
    'syntax = "proto3"; message M { int32 z = 1; N n = 2; message N { bool b = 1; bool a = 2; } }',
    "M",
  );
  expect(expandWildcards(protoPlaceholder(type), [["*"]]).map(String)).toEqual(["z", "n.b", "n.a"]);
  expect(expandWildcards(protoPlaceholder(type), [["n", "*"]]).map(String)).toEqual(["n.a", "n.b"]);
  expect(expandWildcards(protoPlaceholder(type), [["z", "*"]])).toEqual([]);
});

test("a broadcast that would create 2^32 elements is rejected", async () => {
  const many = 65_536;
  const field = { isRepeated: true, parentIndex: new Int32Array(many) };
  const expression = fromPrensor(
    prensorOf({
      "": { kind: "root", size: 1 },
      a: { kind: "child", ...field },
      b: { kind: "leaf", ...field, dtype: "bool", values: new Uint8Array(many) },
    }),
  );
  const plan = await createQueryPlan([expression.broadcast("b", "a", "x").project(["a.x"])]);
  expect(thrownBy(() => plan.calculate())).toMatchObject({ code: "out-of-range", reason: "batch-too-large" });
});

test("a path accepts a number as an anonymous step, but rejects a name that contains a space", () => {
  expect(Path.of(["a", 3]).steps).toEqual(["a", 3]);
  expect(thrownBy(() => Path.of(["a b"]))).toMatchObject({ reason: "column-path" });
});
