import { beforeAll, expect, test } from "@jest/globals";
import { type MessageType, parseProto } from "@tfxio/formats-protobuf";
import { isTfxioError } from "@tfxio/wire";
import { loadDataView, readSavedModel, saveDataView } from "../src/directory.js";
import * as entry from "../src/index.js";
import {
  createDataView,
  createRecordDecoder,
  type DataView,
  type Expression,
  fromProto,
  Path,
  type Prensor,
  protoPlaceholder,
  valueFunctions,
} from "../src/index.js";

// These tests pass arguments of the wrong type, as a program without type checking can.

type Untyped = (this: unknown, ...given: readonly unknown[]) => unknown;
const untyped = (value: unknown): never => value as never;

const proto = `syntax = "proto3";
  message Trip { int64 id = 1; repeated Stop stop = 2; string name = 3; bool ok = 4; }
  message Stop { int32 pick = 1; bool mask = 2; }`;
const outputs = { id: { path: "id", view: "dense", defaultValue: 0n } } as const;

let type: MessageType;
let query: Expression;
let view: DataView;
let prensor: Prensor;
beforeAll(async () => {
  type = await parseProto(proto, "Trip");
  query = protoPlaceholder(type);
  view = await createDataView(query, { outputs });
  prensor = await entry.calculate(fromProto([Uint8Array.of(8, 1)], type));
});

const wrong: readonly unknown[] = [undefined, null, 5, {}, [], () => 1, Promise.resolve(1), new Map(), 1n];

/**
 * For each argument and each wrong value, calls `fn` with the wrong value in place of the argument. Returns a description of each
 * call that failed with an error other than a TfxioError.
 */
async function uncoded(
  name: string,
  fn: Untyped,
  owner: unknown,
  given: readonly unknown[],
): Promise<string[]> {
  const found: string[] = [];
  for (const index of given.keys()) {
    for (const value of wrong) {
      try {
        await fn.call(owner, ...given.with(index, value));
      } catch (error) {
        if (!isTfxioError(error)) found.push(`${name}, argument ${index}: ${String(error)}`);
      }
    }
  }
  return found;
}

const identity = (value: unknown): unknown => value;
const add = valueFunctions.add(1n);

const operators: readonly (readonly [string, readonly unknown[]])[] = [
  ["typed", [{}]],
  ["has", ["id"]],
  ["typeOf", ["id"]],
  ["knownFields", [""]],
  ["project", [["id"]]],
  ["promote", ["stop.pick", "z"]],
  ["broadcast", ["id", "stop", "z"]],
  ["promoteAndBroadcast", [{ z: "id" }, "stop"]],
  ["slice", ["stop", "z", { begin: 1 }]],
  ["truncate", ["stop", 1, "z"]],
  ["size", ["stop", "z"]],
  ["hasAny", ["stop", "z"]],
  ["positionalIndex", ["stop", "z"]],
  ["indexFromEnd", ["stop", "z"]],
  ["filterByChild", ["stop", "mask", "z"]],
  ["filterBySibling", ["name", "ok", "z"]],
  ["reroot", ["stop"]],
  ["protoIndex", ["z"]],
  ["limitDepth", [1]],
  ["addPaths", [{ "stop.z": "stop.pick" }]],
  ["addTo", [{}, { "stop.z": "stop.pick" }]],
  ["mapFieldValues", ["id", add, { as: "z" }]],
  ["mapManyValues", ["", ["id", "id"], valueFunctions.add(), { as: "z" }]],
  ["mapSparseTensors", ["", ["id"], identity, { as: "z", dtype: "int64" }]],
  ["mapRaggedTensors", ["", ["id"], identity, { as: "z", dtype: "int64" }]],
  ["mapPrensor", ["stop", ["pick"], identity, { z: { dtype: "int64" } }]],
  ["callModel", ["", {}, {}]],
  ["transformField", ["stop", "z", identity]],
  ["fill", ["id", 1n, "z"]],
  ["applySchema", [{ feature: [] }]],
  ["featureOf", ["id"]],
];

test.each(operators)("the method %s throws only TfxioErrors for wrong arguments", async (name, given) => {
  const method = Reflect.get(query, name) as Untyped;
  expect(await uncoded(name, method, query, given)).toEqual([]);
});

const functions: readonly (readonly [string, () => readonly unknown[]])[] = [
  ["fromProto", () => [[new Uint8Array()], type, {}]],
  ["protoPlaceholder", () => [type, {}]],
  ["fromFileDescriptorSet", () => [[new Uint8Array()], "Trip", new Uint8Array()]],
  ["batchPlaceholder", () => [{}]],
  ["fromPrensor", () => [prensor]],
  ["fromRecordBatch", () => [{}]],
  ["placeholder", () => [{}]],
  ["fromReader", () => [{ plan: () => ({ arrowSchema: undefined }) }, {}]],
  ["expandWildcards", () => [query, [["*"]]]],
  ["calculate", () => [query, { records: [] }]],
  ["createQueryPlan", () => [[query]]],
  ["deepestPaths", () => [[Path.parse("a")]]],
  ["createDataView", () => [query, { outputs }]],
  ["createRecordDecoder", () => [view]],
  ["encodeDataView", () => [view]],
  ["decodeDataView", () => [new Map(), {}]],
  ["createQueryModel", () => [{}, {}]],
  ["createSavedQueryModel", () => [new Map(), {}]],
  ["createSavedModelView", () => [{}, {}]],
  ["toRecordBatch", () => [prensor]],
  ["toStructuredTensor", () => [prensor]],
  ["prensorOf", () => [{}]],
];

test.each(functions)("the function %s throws only TfxioErrors for wrong arguments", async (name, given) => {
  expect(await uncoded(name, Reflect.get(entry, name) as Untyped, undefined, given())).toEqual([]);
});

test("functions for directories, paths and dense views throw only TfxioErrors for wrong arguments", async () => {
  // Tests only the first argument of saveDataView, because the second names the directory to create.
  expect(
    await uncoded("saveDataView", (given) => saveDataView(untyped(given), ""), undefined, [view]),
  ).toEqual([]);
  expect(await uncoded("loadDataView", loadDataView as Untyped, undefined, ["", {}])).toEqual([]);
  expect(await uncoded("readSavedModel", readSavedModel as Untyped, undefined, [""])).toEqual([]);
  expect(await uncoded("Path.of", Path.of.bind(Path) as Untyped, undefined, [["a"]])).toEqual([]);
  expect(await uncoded("Path.parse", Path.parse.bind(Path) as Untyped, undefined, ["a"])).toEqual([]);
  expect(await uncoded("dense", prensor.dense.bind(prensor) as Untyped, undefined, ["id", {}])).toEqual([]);
});

const invalid = (argument: string) => expect.objectContaining({ code: "invalid-argument", argument });

test("a single path is rejected where a list is required, not read as a list of letters", () => {
  expect(() => query.project(untyped("id"))).toThrow(invalid("paths"));
  expect(() => query.mapManyValues("", untyped("id"), add, { as: "z" })).toThrow(invalid("fields"));
  expect(() => query.promoteAndBroadcast(untyped(null), "stop")).toThrow(
    "fields must be an object whose keys are the names of the copies and whose values are the paths of the fields to copy",
  );
  expect(() => query.addPaths(untyped(null))).toThrow(
    "copies must be an object whose keys are the paths of the copies and whose values are the paths of the fields to copy",
  );
});

test("a new field without a name is rejected", () => {
  expect(() => query.size("stop", untyped(undefined))).toThrow(invalid("as"));
  expect(() => query.mapFieldValues("id", add, untyped({}))).toThrow(invalid("as"));
  expect(() => query.promote("stop.pick", "")).toThrow(invalid("as"));
});

test.each(["mapSparseTensors", "mapRaggedTensors"] as const)(
  "the error for an unknown option of %s names the method and its options",
  (op) => {
    const map = () => query[op]("", ["id"], untyped(identity), untyped({ as: "z", repeated: true }));
    expect(map).toThrow(`[invalid-argument] ${op} has no option "repeated"; it has as, dtype, isRepeated.`);
  },
);

test("a promise is rejected where a message type or a view is required", () => {
  expect(() => protoPlaceholder(untyped(Promise.resolve(type)))).toThrow(invalid("type"));
  expect(() => createRecordDecoder(untyped(Promise.resolve(view)))).toThrow(invalid("view"));
});

test("an unknown dtype is rejected by the call that names the dtype", () => {
  expect(() => valueFunctions.cast(untyped("float99"))).toThrow(invalid("dtype"));
  expect(() => query.mapFieldValues("id", untyped(identity), untyped({ as: "z", dtype: "int63" }))).toThrow(
    invalid("dtype"),
  );
  expect(() => entry.placeholder(untyped({ a: { dtype: "float" } }))).toThrow(invalid("schema"));
});

test("dataViewDecoder and modelViewDecoder throw only TfxioErrors for wrong configurations", async () => {
  for (const decoder of [entry.dataViewDecoder, entry.modelViewDecoder]) {
    const create = decoder.createDecoder as Untyped;
    expect(await uncoded(decoder.id, create, decoder, [{}])).toEqual([]);
  }
  for (const config of [undefined, 5, []]) {
    const created = entry.dataViewDecoder.createDecoder(untyped(config));
    await expect(created).rejects.toMatchObject({ code: "invalid-argument", argument: "config" });
  }
});

test("a view rejects an unknown option, and a default that does not match its field", async () => {
  const saved = createDataView(query, untyped({ outputs, recordIdx: "id" }));
  await expect(saved).rejects.toMatchObject({ code: "invalid-argument", reason: "unknown-option" });
  for (const [path, defaultValue] of [
    ["id", "none"],
    ["id", 0.5],
    ["id", true],
    ["name", 0],
  ] as const) {
    const made = createDataView(query, { outputs: { id: { path, view: "dense", defaultValue } } });
    await expect(made).rejects.toMatchObject({ argument: "outputs.id.defaultValue" });
  }
});
