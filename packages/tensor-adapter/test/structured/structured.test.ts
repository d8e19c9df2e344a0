import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import {
  type Data,
  Dictionary,
  Field,
  Int32,
  List,
  makeData,
  RecordBatch,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import {
  type HostRagged,
  type HostStructured,
  type RaggedTensor,
  RaggedTensorSpec,
  type StructuredTensor,
  StructuredTensorAdapter,
  structuredTensorFromJson,
  type StructuredTensorRepresentation,
  StructuredTensorSpec,
  structuredTensorToJson,
  TensorSpec,
  tidyTensors,
  type TypeSpec,
} from "../../src/index.js";
import { recordBatch, type TypeJson } from "../arrow-values.js";
import { codedError } from "../representations.js";

const click = {
  struct: [
    { name: "url", type: "string" },
    { name: "times", type: { list: "int64" } },
  ],
} as const;
const batch = recordBatch([
  { name: "id", type: "int32", values: [7, 8, 9] },
  {
    name: "clicks",
    type: { list: click },
    values: [
      [
        { url: "a", times: ["1", "2"] },
        { url: "b", times: null },
      ],
      null,
      [{ url: "c", times: ["3"] }],
    ],
  },
  {
    name: "geo",
    type: { struct: [{ name: "country", type: { list: "string" } }] },
    values: [{ country: ["de"] }, null, { country: [] }],
  },
]);

function adapterFor(representation: StructuredTensorRepresentation, from = batch): StructuredTensorAdapter {
  return new StructuredTensorAdapter({
    arrowSchema: from.schema,
    structuredTensors: new Map([["example", representation]]),
  });
}

const all = { columnNames: ["id", "clicks", "geo"] };

describe("StructuredTensorAdapter", () => {
  test("returns specs whose shapes begin with the shape of the struct", () => {
    const spec = adapterFor({ ...all, rowPartitionDtype: "int32" })
      .typeSpecs()
      .get("example");
    const urls = new RaggedTensorSpec([null, null], "string", 1, "int32");
    const times = new RaggedTensorSpec([null, null, null], "int64", 2, "int32");
    const expected = new StructuredTensorSpec(
      [null],
      new Map<string, TypeSpec | StructuredTensorSpec>([
        ["id", new TensorSpec([null], "int32")],
        ["geo", new StructuredTensorSpec([null], new Map([["country", urls]]))],
        [
          "clicks",
          new StructuredTensorSpec(
            [null, null],
            new Map([
              ["url", urls],
              ["times", times],
            ]),
          ),
        ],
      ]),
    );
    expect(spec?.equals(expected)).toBe(true);
    expect(adapterFor(all).typeSpecs().get("example")?.equals(expected)).toBe(false);
    expect(
      adapterFor({ columnNames: ["id"] })
        .typeSpecs()
        .get("example")
        ?.equals(expected),
    ).toBe(false);
    expect(
      String(
        adapterFor({ columnNames: ["id", "geo"] })
          .typeSpecs()
          .get("example"),
      ),
    ).toBe(
      "StructuredTensorSpec(shape=[?], fields={id: TensorSpec(shape=[?], dtype=int32), geo: StructuredTensorSpec(shape=[?], fields={country: RaggedTensorSpec(shape=[?, ?], dtype=string, raggedRank=1, rowSplitsDtype=int64)})})",
    );
  });

  test("returns a spec that is compatible only with structs that have its fields and types", async () => {
    const spec = adapterFor(all).typeSpecs().get("example") as StructuredTensorSpec;
    const example = adapterFor(all).toHost(batch)["example"] as HostStructured;
    const clicks = example.fields["clicks"] as HostStructured;
    const { id: _left, ...fewer } = example.fields;
    tf.enableProdMode();
    await tf.setBackend("cpu");
    const { example: tensor } = adapterFor(all).toTensors(batch, { tf }) as { example: StructuredTensor };
    for (const [value, isDescribed] of [
      [example, true],
      [adapterFor(all).toHost(batch.slice(1))["example"], true],
      [tensor, true],
      [spec, true],
      [{ ...example, fields: fewer }, false],
      [{ ...example, fields: { ...example.fields, other: example.fields["id"] } }, false],
      [{ ...example, fields: { ...example.fields, geo: clicks } }, false],
      [{ ...example, fields: { ...example.fields, id: clicks } }, false],
      [{ ...example, fields: { ...example.fields, clicks: example.fields["id"] } }, false],
      [clicks, false],
      [example.fields["id"], false],
      [adapterFor({ ...all, rowPartitionDtype: "int32" }).toHost(batch)["example"], false],
      [undefined, false],
      [{ fields: 1 }, false],
    ] as const) {
      expect(spec.isCompatibleWith(value as HostStructured)).toBe(isDescribed);
    }
    tensor.dispose();
  });

  test("marks a field as borrowed if its row splits are views, even if its values are copied", () => {
    const child = vectorFromArray(["a", "b", "a"], new Dictionary(new Utf8(), new Int32())).data[0] as Data;
    const type = new List(new Field("item", child.type, true));
    const list = makeData({ type, length: 2, nullCount: 0, valueOffsets: Int32Array.of(0, 1, 3), child });
    const words = new RecordBatch({ words: list });
    const example = adapterFor({ columnNames: ["words"] }, words).toHost(words)["example"] as HostStructured;
    expect(example.fields["words"]).toMatchObject({ kind: "ragged", borrowed: true });
    const [splits] = (example.fields["words"] as HostRagged).nestedRowSplits;
    expect(splits!.buffer).toBe((words.data.children[0] as Data).valueOffsets.buffer);
  });

  test("keeps the fields of a struct together, and the fields share the row splits of the struct", () => {
    const example = adapterFor(all).toHost(batch)["example"] as HostStructured;
    expect([example.numRows, example.nestedRowSplits]).toEqual([3, []]);
    expect(example.fields["id"]).toMatchObject({
      kind: "dense",
      shape: [3],
      values: Int32Array.of(7, 8, 9),
      borrowed: true,
    });
    const clicks = example.fields["clicks"] as HostStructured;
    const url = clicks.fields["url"] as HostRagged;
    const times = clicks.fields["times"] as HostRagged;
    expect(clicks.nestedRowSplits).toEqual([Int32Array.of(0, 2, 2, 3)]);
    expect(times.nestedRowSplits).toEqual([Int32Array.of(0, 2, 2, 3), Int32Array.of(0, 2, 2, 3)]);
    expect(times.values).toEqual(BigInt64Array.of(1n, 2n, 3n));
    expect(url.nestedRowSplits[0]).toBe(clicks.nestedRowSplits[0]);
    expect(times.nestedRowSplits[0]).toBe(clicks.nestedRowSplits[0]);
    const stored = [0, 1, 0].reduce(
      (data, child) => data.children[child] as Data,
      batch.data.children[1] as Data,
    );
    expect((times.values as BigInt64Array).buffer).toBe((stored.values as BigInt64Array).buffer);
    const country = (example.fields["geo"] as HostStructured).fields["country"] as HostRagged;
    expect(country.nestedRowSplits).toEqual([Int32Array.of(0, 1, 1, 1)]);
  });

  test("converts only the rows of a slice", () => {
    const example = adapterFor(all).toHost(batch.slice(2, 3))["example"] as HostStructured;
    const { fields } = example.fields["clicks"] as HostStructured;
    expect(fields["times"]).toMatchObject({
      values: BigInt64Array.of(3n),
      nestedRowSplits: [Int32Array.of(0, 1), Int32Array.of(0, 1)],
    });
  });

  test("rejects unknown columns, bool fields, null values and batches with a different schema", () => {
    for (const columnNames of [["none"], ["flag"]]) {
      const other = recordBatch([
        { name: "flag", type: { list: { struct: [{ name: "is", type: "bool" }] } }, values: [] },
      ]);
      expect(codedError(() => adapterFor({ columnNames }, other))).toMatchObject({
        code: "not-convertible",
        reason: "no-handler",
        tensorName: "example",
      });
    }
    const nulls = recordBatch([{ name: "id", type: "int32", values: [1, null] }]);
    expect(codedError(() => adapterFor({ columnNames: ["id"] }, nulls).toHost(nulls))).toMatchObject({
      code: "not-convertible",
      reason: "null-value",
      row: 1,
    });
    expect(codedError(() => adapterFor(all).toHost(nulls))).toMatchObject({ reason: "batch-schema" });
  });

  test("accepts a null struct only if its fields are lists, and accepts an empty list of structs", () => {
    const point = { struct: [{ name: "x", type: "int32" }] } as const;
    const rowOf = (type: TypeJson, values: unknown[]): RecordBatch =>
      recordBatch([{ name: "p", type, values }]);
    const flat = rowOf(point, [{ x: 1 }, null]);
    expect(codedError(() => adapterFor({ columnNames: ["p"] }, flat).toHost(flat))).toMatchObject({
      code: "not-convertible",
      reason: "null-value",
      columnPath: "p.x",
      row: 1,
    });
    const inLists = rowOf({ list: point }, [[{ x: 1 }], []]);
    const lists = rowOf({ struct: [{ name: "x", type: { list: "int32" } }] }, [{ x: [1] }, null]);
    for (const readable of [inLists, lists]) {
      const { example } = adapterFor({ columnNames: ["p"] }, readable).toHost(readable);
      const p = example?.fields["p"] as HostStructured;
      expect(p.fields["x"]).toMatchObject({
        values: Int32Array.of(1),
        nestedRowSplits: [Int32Array.of(0, 1, 1)],
      });
    }
  });
});

describe("StructuredTensor", () => {
  let before = 0;
  beforeEach(async () => {
    tf.enableProdMode();
    await tf.setBackend("cpu");
    before = tf.memory().numTensors;
  });
  afterEach(() => {
    expect(tf.memory().numTensors).toBe(before);
  });

  test("returns the tensor of each field, and rejects an unknown field", async () => {
    const { example } = adapterFor(all).toTensors(batch, { tf }) as { example: StructuredTensor };
    expect(await (example.field("id") as tf.Tensor).array()).toEqual([7, 8, 9]);
    const times = example.field("clicks", "times") as RaggedTensor;
    expect(await times.values.array()).toEqual([1, 2, 3]);
    expect(times.raggedRank).toBe(2);
    expect((example.field("clicks") as StructuredTensor).numLists).toBe(1);
    expect(codedError(() => example.field("clicks", "none"))).toMatchObject({ reason: "unknown-field" });
    expect(codedError(() => example.field("id", "none"))).toMatchObject({ reason: "unknown-field" });
    example.dispose();
    example.dispose();
  });

  test("leaks no tensor if one of its fields cannot be converted", () => {
    const wide = recordBatch([
      { name: "a", type: "int32", values: [1] },
      { name: "b", type: "int64", values: ["4294967296"] },
    ]);
    const error = codedError(() => adapterFor({ columnNames: ["a", "b"] }, wide).toTensors(wide, { tf }));
    expect(error).toMatchObject({
      code: "out-of-range",
      reason: "int32-range",
      tensorName: "example.b",
      row: 0,
    });
  });

  test("is disposed by tidyTensors, unless the function passed to tidyTensors returns it", () => {
    const adapter = adapterFor(all);
    const [kept] = tidyTensors(tf, () =>
      [adapter.toTensors(batch, { tf }), adapter.toTensors(batch, { tf })].slice(0, 1),
    );
    // One tensor for id, two tensors each for url and country (values and row splits), and three tensors for times.
    expect(tf.memory().numTensors).toBe(before + 1 + 2 + 2 + 3);
    kept?.["example"]?.dispose();
  });
});

describe("structured representations", () => {
  test("survive a round trip through their JSON form", () => {
    for (const representation of [
      all,
      { columnNames: ["a"], rowPartitionDtype: "int32" },
      { columnNames: ["a"], rowPartitionDtype: "int64" },
    ] as const) {
      const json = structuredTensorToJson(representation);
      expect(structuredTensorFromJson(JSON.parse(JSON.stringify(json)))).toEqual(representation);
    }
    expect(structuredTensorToJson({ columnNames: ["a"], rowPartitionDtype: "int32" })).toEqual({
      structuredTensor: { columnNames: ["a"], rowPartitionDtype: "INT32" },
    });
  });

  test("are rejected if their column list is empty or repeats a column", () => {
    for (const columnNames of [[], ["id", "id"]]) {
      const rejected = { code: "invalid-argument", argument: "columnNames" };
      expect(codedError(() => structuredTensorToJson({ columnNames }))).toMatchObject(rejected);
      expect(codedError(() => adapterFor({ columnNames }))).toMatchObject(rejected);
    }
  });

  test("cannot be parsed from JSON of a different form", () => {
    for (const json of [
      null,
      {},
      { raggedTensor: {} },
      { structuredTensor: { columnNames: [] } },
      { structuredTensor: { columnNames: ["a", "a"] } },
      { structuredTensor: { columnNames: [1] } },
      { structuredTensor: { columnNames: ["a"], rowPartitionDtype: "int32" } },
      { structuredTensor: { columnNames: ["a"], columnName: "b" } },
    ]) {
      expect(codedError(() => structuredTensorFromJson(json))).toMatchObject({
        code: "schema-invalid",
        reason: "structured-tensor",
      });
    }
  });
});
