import { expect, test } from "@jest/globals";
import { parseProto } from "@tfxio/formats-protobuf";
import {
  calculate,
  type Expression,
  type LeafNode,
  type MessageSchema,
  placeholder,
  prensorOf,
  protoPlaceholder,
  valueFunctions as fn,
} from "@tfxio/struct2tensor";
import { arrayOf } from "../naive/data.js";
import { thrownBy } from "../thrown-by.js";

// The compiler checks the types: each `@ts-expect-error` marks a line that must not compile.

const trips = placeholder({
  id: { dtype: "int64" },
  stop: {
    isRepeated: true,
    fields: { city: { dtype: "string" }, seconds: { dtype: "int32", isRepeated: true } },
  },
});

const data = {
  prensor: prensorOf({
    "": { kind: "root", size: 1 },
    id: {
      kind: "leaf",
      isRepeated: false,
      parentIndex: Int32Array.of(0),
      dtype: "int64",
      values: BigInt64Array.of(7n),
    },
    stop: { kind: "child", isRepeated: true, parentIndex: Int32Array.of(0, 0) },
    "stop.city": {
      kind: "leaf",
      isRepeated: false,
      parentIndex: Int32Array.of(1),
      dtype: "string",
      values: arrayOf("string", ["Oslo"]),
    },
    "stop.seconds": {
      kind: "leaf",
      isRepeated: true,
      parentIndex: Int32Array.of(0),
      dtype: "int32",
      values: Int32Array.of(9),
    },
  }),
};

test("a path does not compile, and is rejected at run time, if it does not exist in a literal schema", () => {
  // @ts-expect-error `stop` has no field `citi`
  expect(thrownBy(() => trips.promote("stop.citi", "c"))).toMatchObject({ reason: "unknown-column" });
  // @ts-expect-error a leaf has no fields
  expect(thrownBy(() => trips.size("id.x", "n"))).toMatchObject({ reason: "unknown-column" });
  // @ts-expect-error the projection to `id` removes `stop`
  expect(thrownBy(() => trips.project(["id"]).size("stop", "n"))).toMatchObject({ reason: "unknown-column" });
});

test("operators add fields with typed paths and values", async () => {
  const query = trips
    .promote("stop.seconds", "all")
    .broadcast("id", "stop", "trip")
    .size("stop.trip", "n")
    .mapFieldValues("all", fn.greater(3), { as: "late", dtype: "bool" });
  const result = await calculate(query, data);
  const all: Int32Array = result.leaf("all").values;
  const trip: BigInt64Array = result.leaf("stop.trip").values;
  const late: LeafNode<"bool"> = result.leaf("late");
  const n: BigInt64Array = result.ragged("stop.n").values;
  expect([all, trip, late.values, n]).toEqual([
    Int32Array.of(9),
    BigInt64Array.of(7n, 7n),
    Uint8Array.of(1),
    BigInt64Array.of(1n, 1n),
  ]);
  const stops = trips.promoteAndBroadcast({ trip: "id" }, "stop").reroot("stop").protoIndex("record");
  const record: BigInt64Array = (await calculate(stops, data)).leaf("record").values;
  expect([...record, ...(await calculate(stops, data)).leaf("trip").values]).toEqual([0n, 0n, 7n, 7n]);
});

test("a schema gives static types to a protobuf placeholder, and is rejected if it does not match the message", async () => {
  const message = protoPlaceholder(
    await parseProto('syntax = "proto3"; message M { int32 a = 1; repeated M m = 2; }', "M"),
  );
  const typed = message.typed({
    a: { dtype: "int32" },
    m: { isRepeated: true, fields: { a: { dtype: "int32" } } },
  });
  const { values } = (
    await calculate(typed.project(["m.a"]), { records: [Uint8Array.of(18, 2, 8, 5)] })
  ).leaf("m.a");
  const numbers: Int32Array = values;
  expect(numbers).toEqual(Int32Array.of(5));
  expect(thrownBy(() => message.typed({ a: { dtype: "int64" } }))).toMatchObject({
    reason: "declared-type",
    expected: "optional int64",
    actual: "optional int32",
  });
});

test("without a literal schema, any path compiles", () => {
  const schema: MessageSchema = { a: { dtype: "int32" } };
  const open: Expression = placeholder(schema);
  expect(open.promoteAndBroadcast({ b: "a" }, "").has("b")).toBe(true);
});
