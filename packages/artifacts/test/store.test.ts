import { expect, test } from "@jest/globals";
import type { ArtifactInput } from "../src/store/entities.js";
import type { MetadataStore } from "../src/store/metadata-store.js";
import { openMetadataStore } from "../src/store/open-store.js";
import { temporaryStore } from "./temporary-store.js";

async function sampleStore(): Promise<MetadataStore> {
  const store = await temporaryStore();
  store.types.put("artifact", {
    name: "Examples",
    properties: { span: "INT", split_names: "STRING", rate: "DOUBLE" },
  });
  store.types.put("execution", { name: "Trainer", baseType: "mlmd.Train" });
  store.types.put("context", { name: "run" });
  return store;
}

const failing = (code: string, reason?: string): unknown => expect.objectContaining({ code, reason });

test("types with the same name are distinguished by kind and version", async () => {
  const store = await temporaryStore();
  const plain = store.types.put("artifact", {
    name: "Examples",
    properties: { span: "INT" },
    baseType: "mlmd.Dataset",
  });
  const empty = store.types.put("artifact", { name: "Examples", version: "" });
  const other = store.types.put("context", { name: "Examples", description: "of a run", externalId: "x" });
  expect(new Set([plain, empty, other]).size).toBe(3);
  expect(store.types.get("artifact", "Examples")).toMatchObject({ id: plain, baseType: "mlmd.Dataset" });
  expect(store.types.get("artifact", "Examples", "")).toMatchObject({
    id: empty,
    version: "",
    properties: {},
  });
  expect(store.types.byId("context", [plain, other])).toMatchObject([
    { description: "of a run", externalId: "x" },
  ]);
  expect(store.types.get("execution", "Examples")).toBeUndefined();
});

test("a type may gain or omit properties only if the caller allows that", async () => {
  const store = await temporaryStore();
  const id = store.types.put("artifact", { name: "T", properties: { a: "INT", b: "STRING" } });
  const conflict = failing("invalid-argument", "type-conflict");
  expect(() => store.types.put("artifact", { name: "T", properties: { a: "INT" } })).toThrow(conflict);
  for (const [properties, problem] of [
    [{ a: "INT" }, "b is missing, but the stored type T has it as STRING; add it, or set canOmitFields."],
    [{ a: "DOUBLE", b: "STRING" }, "a must be INT, as in the stored type T, found DOUBLE."],
    [{ a: "INT", b: "STRING", c: "INT" }, "c is not in the stored type T; omit it, or set canAddFields."],
  ] as const) {
    expect(() => store.types.put("artifact", { name: "T", properties })).toThrow(`properties.${problem}`);
  }
  expect(() => store.types.put("artifact", { name: "T", properties: { a: "DOUBLE", b: "STRING" } })).toThrow(
    conflict,
  );
  expect(() =>
    store.types.put("artifact", { name: "T", properties: { a: "INT", b: "STRING", c: "INT" } }),
  ).toThrow(conflict);
  expect(store.types.put("artifact", { name: "T", properties: { a: "INT" } }, { canOmitFields: true })).toBe(
    id,
  );
  const wider = { name: "T", properties: { c: "PROTO" } } as const;
  expect(store.types.put("artifact", wider, { canAddFields: true, canOmitFields: true })).toBe(id);
  expect(store.types.get("artifact", "T")?.properties).toEqual({ a: "INT", b: "STRING", c: "PROTO" });
  expect(() => store.types.put("artifact", { name: "U", baseType: "mlmd.Train" })).toThrow(
    failing("invalid-argument"),
  );
  expect(store.types.get("artifact", "U")).toBeUndefined();
});

test('a name belongs to a system type only if it begins with "mlmd." in lower case', async () => {
  const store = await temporaryStore();
  store.types.put("artifact", { name: "MLMD.Model" });
  expect(store.types.all("artifact").map(({ name }) => name)).toEqual(["MLMD.Model"]);
  expect(() => store.types.put("artifact", { name: "Mine", baseType: "MLMD.Model" })).toThrow(
    failing("invalid-argument"),
  );
});

test("a reopened store returns property values unchanged, except that a number of type INT becomes a bigint", async () => {
  const store = await sampleStore();
  const customProperties = {
    int: -(2n ** 63n),
    double: 0.1234567891234,
    tiny: 5e-324,
    text: "line\nbreak 日本 ' \" ; --",
    none: "",
    yes: true,
    no: false,
    struct: { struct: { list: [1, "a", null, { b: false }], "": {} } },
    proto: { proto: { typeUrl: "type.googleapis.com/x.Y", value: Uint8Array.of(8, 1) } },
    __proto__x: "a name like any other",
    "name with space": 1n,
  };
  const [id = 0] = store.artifacts.put([
    { type: "Examples", uri: "/e/1", state: "LIVE", properties: { span: 3, rate: 3 }, customProperties },
  ]);
  const reopened = await openMetadataStore(store.path, { access: "read" });
  const [artifact] = reopened.artifacts.byId([id]);
  expect(artifact).toEqual({
    id,
    typeId: 10,
    type: "Examples",
    uri: "/e/1",
    state: "LIVE",
    properties: { span: 3n, rate: 3 },
    customProperties,
    createTimeMs: artifact?.lastUpdateTimeMs,
    lastUpdateTimeMs: expect.any(Number),
  });
  reopened.close();
});

test("if one value is invalid or ml-metadata would misread it, put rejects the whole call and stores no artifact", async () => {
  const store = await sampleStore();
  const values: readonly unknown[] = [
    "mlmd-struct::CgA=",
    "__MLMD_NULL__",
    "cut\0here",
    "\ud800",
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2n ** 63n,
    { proto: { typeUrl: "", value: Uint8Array.of() } },
    { proto: { typeUrl: "type.googleapis.com/x.Y", value: "text" } },
    { struct: { bad: Number.NaN } },
    { struct: { bad: "\ud800" } },
    null,
    undefined,
    {},
    [1n],
  ];
  for (const value of values) {
    const artifact = { type: "Examples", customProperties: { value } } as ArtifactInput;
    expect(() => store.artifacts.put([{ type: "Examples" }, artifact])).toThrow(
      failing("invalid-argument", "property-value"),
    );
  }
  expect(() => store.artifacts.put([{ type: "Examples", uri: "a\0b" }])).toThrow(
    failing("invalid-argument", "property-value"),
  );
  expect(store.artifacts.list()).toEqual([]);
});

test("put rejects undeclared properties, and values that do not match the declared type", async () => {
  const store = await sampleStore();
  const put = (properties: ArtifactInput["properties"]): unknown =>
    store.artifacts.put([{ type: "Examples", properties: properties ?? {} }]);
  expect(() => put({ span: 1.5 })).toThrow(failing("invalid-argument", "property-type"));
  expect(() => put({ span: "1" })).toThrow(failing("invalid-argument", "property-type"));
  expect(() => put({ other: 1n })).toThrow(failing("invalid-argument", "undeclared-property"));
  expect(() => put({ toString: "inherited" })).toThrow(failing("invalid-argument", "undeclared-property"));
});

test("put replaces a whole node except its type and name, and rejects a new name and an unknown id", async () => {
  const store = await sampleStore();
  const [id = 0] = store.artifacts.put([
    {
      type: "Examples",
      name: "first",
      uri: "/e/1",
      state: "PENDING",
      properties: { span: 1n },
      customProperties: { a: 1n },
    },
  ]);
  store.artifacts.put([{ id, uri: "/e/2", customProperties: { b: "2" } }]);
  expect(store.artifacts.byId([id])).toMatchObject([
    { name: "first", uri: "/e/2", properties: {}, customProperties: { b: "2" } },
  ]);
  expect(store.artifacts.byId([id])[0]?.state).toBeUndefined();
  expect(() => store.artifacts.put([{ id, name: "second" }])).toThrow(
    failing("invalid-argument", "fixed-member"),
  );
  expect(() => store.artifacts.put([{ id: 99 }])).toThrow(failing("invalid-argument", "unknown-entity"));
});

test("put rejects a node that has changed since it was read", async () => {
  const store = await sampleStore();
  const other = await openMetadataStore(store.path);
  const [id = 0] = store.artifacts.put([{ type: "Examples", state: "PENDING" }]);
  const [ours] = store.artifacts.byId([id]);
  const [theirs] = other.artifacts.byId([id]);
  other.artifacts.put([{ ...theirs, state: "LIVE" }]);
  expect(() => store.artifacts.put([{ ...ours, state: "ABANDONED" }])).toThrow(
    failing("io-failed", "entity-changed"),
  );
  expect(store.artifacts.byId([id])).toMatchObject([{ state: "LIVE" }]);
  other.close();
});

test("put rejects duplicate names, duplicate external ids, unknown types or members, and contexts without a name", async () => {
  const store = await sampleStore();
  store.artifacts.put([{ type: "Examples", name: "a", externalId: "x" }]);
  expect(() => store.artifacts.put([{ type: "Examples", name: "a" }])).toThrow(
    failing("invalid-argument", "already-exists"),
  );
  expect(() => store.artifacts.put([{ type: "Examples", externalId: "x" }])).toThrow(
    failing("invalid-argument", "already-exists"),
  );
  expect(store.artifacts.byName("Examples", "a")).toMatchObject({ externalId: "x" });
  expect(store.artifacts.byName("Examples", "b")).toBeUndefined();
  expect(store.artifacts.byExternalId(["x", "y"])).toHaveLength(1);
  expect(() => store.contexts.put([{ type: "run" }])).toThrow(failing("invalid-argument"));
  expect(() => store.artifacts.put([{ type: "Nothing" }])).toThrow(
    failing("invalid-argument", "unknown-type"),
  );
  const typeId = store.types.put("artifact", { name: "Model" });
  expect(() => store.artifacts.put([{ typeId, typeVersion: "2" }])).toThrow(
    failing("invalid-argument", "unknown-type"),
  );
  expect(() => store.artifacts.put([{ type: "Examples", color: "red" } as ArtifactInput])).toThrow(
    failing("invalid-argument", "unknown-option"),
  );
});

test("events and links connect nodes of the store; duplicate events, unknown nodes and cycles are rejected", async () => {
  const store = await sampleStore();
  const [input = 0, output = 0] = store.artifacts.put([{ type: "Examples" }, { type: "Examples" }]);
  const [execution = 0] = store.executions.put([{ type: "Trainer", lastKnownState: "RUNNING" }]);
  const [run = 0, pipeline = 0] = store.contexts.put([
    { type: "run", name: "r" },
    { type: "run", name: "p" },
  ]);
  store.events.put([
    { artifactId: input, executionId: execution, type: "INPUT", path: ["examples", 0], timeMs: 5 },
    { artifactId: output, executionId: execution, type: "OUTPUT", path: ["model", 0, ""] },
  ]);
  store.links.put({
    attributions: [{ contextId: run, artifactId: output }],
    associations: [{ contextId: run, executionId: execution }],
    parents: [{ childId: run, parentId: pipeline }],
  });
  store.links.put({ attributions: [{ contextId: run, artifactId: output }] });
  expect(store.events.ofExecutions([execution])).toMatchObject([
    { artifactId: input, type: "INPUT", path: ["examples", 0], timeMs: 5 },
    { artifactId: output, type: "OUTPUT", path: ["model", 0, ""] },
  ]);
  expect(store.artifacts.byContext(run)).toMatchObject([{ id: output }]);
  expect(store.executions.byContext(run)).toMatchObject([{ id: execution, lastKnownState: "RUNNING" }]);
  expect(store.contexts.byArtifact(input)).toEqual([]);
  expect(store.contexts.byExecution(execution)).toMatchObject([{ name: "r" }]);
  expect(store.contexts.parents(run)).toMatchObject([{ name: "p" }]);
  expect(store.contexts.children(pipeline)).toMatchObject([{ name: "r" }]);
  const again = [{ artifactId: input, executionId: execution, type: "INPUT" }] as const;
  expect(() => store.events.put(again)).toThrow(failing("invalid-argument", "already-exists"));
  expect(() => store.events.put([{ artifactId: 99, executionId: execution, type: "INPUT" }])).toThrow(
    failing("invalid-argument", "unknown-entity"),
  );
  expect(() => store.links.put({ parents: [{ childId: pipeline, parentId: run }] })).toThrow(
    failing("invalid-argument", "context-cycle"),
  );
});

test("a transaction stores all of its writes or none, survives a caught error, and rejects an async function", async () => {
  const store = await sampleStore();
  expect(() =>
    store.transaction(() => {
      store.artifacts.put([{ type: "Examples", name: "lost" }]);
      throw new RangeError("stop");
    }),
  ).toThrow(RangeError);
  store.transaction(() => {
    store.artifacts.put([{ type: "Examples", name: "kept" }]);
    expect(() =>
      store.artifacts.put([
        { type: "Examples", name: "half" },
        { type: "Examples", name: "kept" },
      ]),
    ).toThrow("already has an entry with the same values");
  });
  expect(store.artifacts.list().map(({ name }) => name)).toEqual(["kept"]);
  expect(() => store.transaction(() => Promise.resolve(1))).toThrow(
    failing("invalid-argument", "async-transaction"),
  );
});

test("a write fails with store-busy while a different connection holds the lock", async () => {
  const store = await sampleStore();
  const hasty = await openMetadataStore(store.path, { busyTimeoutMs: 10 });
  store.transaction(() => {
    expect(() => hasty.artifacts.put([{ type: "Examples" }])).toThrow(failing("io-failed", "store-busy"));
  });
  expect(hasty.artifacts.put([{ type: "Examples" }])).toHaveLength(1);
  hasty.close();
});

test("listing artifacts fails if a property is damaged, and the error names the property", async () => {
  const store = await sampleStore();
  const [id] = store.artifacts.put([{ type: "Examples", customProperties: { a: "x", b: 1n } }]);
  const { libsqlDriver } = await import("../src/store/drivers/libsql.js");
  const connection = (await libsqlDriver())?.open(store.path, "write");
  const oneColumn = "a value in exactly one column other than byte_value, found";
  for (const [damage, expected] of [
    ["string_value = 'mlmd-struct::###'", "a Struct in base64."],
    ["int_value = 1", `${oneColumn} a value in int_value and string_value.`],
    ["byte_value = X'00'", `${oneColumn} a value in string_value and byte_value.`],
    ["string_value = NULL, byte_value = X'00'", `${oneColumn} a value in byte_value.`],
    ["string_value = NULL", `${oneColumn} no value.`],
    ["string_value = NULL, proto_value = 'not base64!'", "an Any in base64."],
    ["string_value = NULL, bool_value = 7", "a value that is valid for column bool_value."],
    ["string_value = NULL, int_value = 'text'", "a value that is valid for column int_value."],
  ] as const) {
    connection?.exec(
      `UPDATE ArtifactProperty SET string_value = 'x', int_value = NULL, byte_value = NULL, proto_value = NULL, ` +
        `bool_value = NULL WHERE name = 'a'`,
    );
    connection?.exec(`UPDATE ArtifactProperty SET ${damage} WHERE name = 'a'`);
    expect(() => store.artifacts.list()).toThrow(failing("corrupt-record", "property-value"));
    expect(() => store.artifacts.list()).toThrow(
      `The stored property a of Artifact ${id} must have ${expected}`,
    );
  }
  connection?.close();
});
