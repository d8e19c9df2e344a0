import { describe, expect, test } from "@jest/globals";
import {
  calculate,
  createQueryPlan,
  type MessageSchema,
  placeholder,
  valueFunctions as fn,
} from "@tfxio/struct2tensor";
import { arrayOf } from "../naive/data.js";
import { thrownBy } from "../thrown-by.js";

// Declared as MessageSchema, not as a literal type, so that calls with wrong paths compile.
const schema: MessageSchema = {
  trip_id: { dtype: "int64" },
  stop: {
    isRepeated: true,
    fields: {
      stop_id: { dtype: "string" },
      seen: { dtype: "bool" },
      seconds: { dtype: "int32", isRepeated: true },
      flags: { dtype: "bool", isRepeated: true },
    },
  },
};
const trips = placeholder(schema);

describe("a missing path", () => {
  test("is named in the error, which suggests a field with a similar name", () => {
    expect(() => trips.promote("stop.stopid", "x")).toThrow(
      'The field "stop.stopid" does not exist: "stop" has no "stopid". Did you mean "stop_id"?',
    );
    expect(() => trips.size("trop", "x")).toThrow('the root has no "trop". Did you mean "stop"?');
  });

  test("is reported with the fields that exist, or with a note that its parent is a leaf", () => {
    expect(() => trips.size("trip_id.x", "y")).toThrow("It holds values, not fields.");
    expect(() => trips.size("qqqqqqqq", "y")).toThrow("It has trip_id, stop.");
  });

  test("is reported together with every other missing path in a projection", () => {
    expect(thrownBy(() => trips.project(["stap", "stop.sean", "trip_id"]))).toMatchObject({
      reason: "unknown-column",
      columnPath: "stap, stop.sean",
    });
  });
});

describe("an expression rejects", () => {
  test.each<[string, () => unknown, string]>([
    ["`promote` to a name that is taken", () => trips.promote("stop.stop_id", "trip_id"), "path-exists"],
    ["`promote` of a field at the root", () => trips.promote("trip_id", "x"), "promote-beyond-root"],
    ["`broadcast` into a leaf", () => trips.broadcast("stop", "trip_id", "x"), "sibling-not-message"],
    ["`slice` without bounds", () => trips.slice("stop", "x", {}), "slice-bound"],
    [
      "`slice` with a bound that is not an integer",
      () => trips.slice("stop", "x", { begin: 0.5 }),
      "slice-bound",
    ],
    ["`size` of the root", () => trips.size("", "x"), "root-size"],
    ["`positionalIndex` of the root", () => trips.positionalIndex("", "x"), "root-index"],
    ["`mapFieldValues` of the root", () => trips.mapFieldValues("", fn.not(), { as: "x" }), "root-map"],
    [
      "`mapFieldValues` of a message",
      () => trips.mapFieldValues("stop", fn.not(), { as: "x" }),
      "not-a-leaf",
    ],
    [
      "`filterByChild` with a mask of strings",
      () => trips.filterByChild("stop", "stop_id", "x"),
      "mask-not-bool",
    ],
    [
      "`filterByChild` with a repeated mask",
      () => trips.filterByChild("stop", "flags", "x"),
      "mask-repeated",
    ],
    [
      "`mapManyValues` of fields with different cardinalities",
      () => trips.mapManyValues("stop", ["seen", "flags"], fn.and(), { as: "x" }),
      "cardinality",
    ],
    ["`fill` of a repeated field", () => trips.fill("stop.seconds", 0, "x"), "cardinality"],
    ["`reroot` at a leaf", () => trips.reroot("trip_id"), "reroot-leaf"],
    [
      "`transformField` of a field that does not come from protobuf",
      () => trips.transformField("stop", "x", (p) => p),
      "not-a-proto-message",
    ],
    [
      "`mapFieldValues` with a callback but no dtype",
      () => trips.mapFieldValues("trip_id", (v) => v, { as: "x" }),
      "dtype",
    ],
    [
      "`mapFieldValues` with a dtype that the function does not return",
      () => trips.mapFieldValues("trip_id", fn.add(1), { as: "x", dtype: "int32" }),
      "dtype",
    ],
    [
      "`addPaths` of a field to a different parent",
      () => trips.addPaths({ id: "stop.stop_id" }),
      "other-parent",
    ],
    ["`size` of a malformed path", () => trips.size("stop..x", "y"), "column-path"],
  ])("%s", (_name, build, reason) => {
    expect(thrownBy(build)).toMatchObject({ reason });
  });

  test("invalid functions, limits, bounds and paths as arguments", () => {
    expect(() => trips.mapFieldValues("trip_id", 3 as never, { as: "x" })).toThrow(
      "fn must be a function, found 3",
    );
    expect(() => trips.truncate("stop", -1, "x")).toThrow("limit must be an integer of at least 0, found -1");
    expect(() => trips.slice("stop", "x", { begin: 0.5 })).toThrow("found begin 0.5 and end undefined.");
    expect(() => trips.size(7 as never, "x")).toThrow("is not a path");
  });
});

describe("a query", () => {
  const values = placeholder({ v: { dtype: "int32", isRepeated: true } });

  test("wraps an error from a callback in an error that names the operator", async () => {
    const bad = (): never => {
      throw new RangeError("no");
    };
    const query = values.mapFieldValues("v", bad, { as: "x", dtype: "int32" });
    await expect(calculate(query, { prensor: await someValues() })).rejects.toMatchObject({
      code: "user-function",
      operator: "mapFieldValues",
      cause: expect.any(RangeError) as unknown,
    });
  });

  test("rejects an array from a callback if its length or its dtype is wrong", async () => {
    const prensor = await someValues();
    const short = values.mapFieldValues("v", () => new Int32Array(1), { as: "x", dtype: "int32" });
    await expect(calculate(short, { prensor })).rejects.toMatchObject({ reason: "expression-shape" });
    const other = values.mapFieldValues("v", () => new Float32Array(2), { as: "x", dtype: "int32" });
    await expect(calculate(other, { prensor })).rejects.toThrow(
      "must return int32 values (Int32Array), found Float32Array",
    );
  });

  test("rejects missing data and data that is not a prensor, and its plan stays usable", async () => {
    const plan = await createQueryPlan([values]);
    expect(() => plan.calculate()).toThrow(
      "inputs.prensor is required, because the plan reads a source of this name.",
    );
    expect(() => plan.calculate({ prensor: 3 })).toThrow("prensor must be a Prensor, found 3");
    expect(plan.calculate({ prensor: await someValues() }).prensors).toHaveLength(1);
  });

  test("rejects a prensor whose field has a different type than the placeholder declares", async () => {
    const query = placeholder({ v: { dtype: "int64", isRepeated: true } });
    await expect(calculate(query, { prensor: await someValues() })).rejects.toMatchObject({
      code: "schema-mismatch",
      reason: "declared-type",
      message: expect.stringContaining(
        'The field "v" must be repeated int64, found repeated int32.',
      ) as unknown,
    });
  });

  test("cannot share a plan with a query that has a different unbound source of the same name", async () => {
    await expect(createQueryPlan([values, placeholder({ v: { dtype: "int32" } })])).rejects.toMatchObject({
      reason: "source-name",
    });
  });
});

async function someValues() {
  const { prensorOf } = await import("@tfxio/struct2tensor");
  return prensorOf({
    "": { kind: "root", size: 2 },
    v: {
      kind: "leaf",
      isRepeated: true,
      parentIndex: Int32Array.of(0, 1),
      dtype: "int32",
      values: arrayOf("int32", [1, 2]) as Int32Array,
    },
  });
}
