import { describe, expect, test } from "@jest/globals";
import { parseSchemaText } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";
import {
  Binary,
  type Data,
  Field,
  FixedSizeList,
  Float32,
  Int32,
  Int64,
  makeData,
  Null,
  RecordBatch,
  Struct,
} from "apache-arrow";
import {
  createSequenceExampleDecoder,
  createSequenceExampleEncoder,
  type ExampleListType,
  encodeSequenceExample,
} from "../../src/index.js";
import { batchOf, batchWith, columnOf, itemOf, largeListOf, listOf, structOf } from "../batches.js";
import { plainRows } from "../plain-rows.js";
import { judgeSequence } from "../protobuf-judge.js";
import { Draw, seededRandom } from "../random.js";
import { randomSequenceExample } from "../random-example.js";

/** Creates a struct column whose fields are `columns`. */
function lists(columns: Readonly<Record<string, Data>>): Data {
  const children = Object.values(columns);
  const type = structOf(Object.fromEntries(Object.entries(columns).map(([name, data]) => [name, data.type])));
  return makeData({ type, length: children[0]?.length ?? 0, nullCount: 0, children });
}

const columnsOf = (batch: RecordBatch): unknown[] =>
  batch.schema.fields.map(({ name, type }, index) => [
    name,
    String(type),
    plainRows(batch.data.children[index] as Data),
  ]);

const errorOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    if (isTfxioError(error)) return `${error.code}/${error.reason}`;
    throw error;
  }
  return undefined;
};

describe("createSequenceExampleEncoder", () => {
  test("writes empty records for a batch without columns, because a context without features is omitted", () => {
    const encoder = createSequenceExampleEncoder();
    expect(encoder.encode(batchWith([], [], 2))).toEqual([new Uint8Array(0), new Uint8Array(0)]);
  });

  test("writes the bytes that the protobuf encoding prescribes", () => {
    const batch = batchOf({
      c: columnOf(listOf(new Int64()), [[300n], null]),
      "##SEQUENCE##": lists({
        s: columnOf(listOf(listOf(new Binary())), [[[Buffer.from("xy")], null, []], []]),
        f: columnOf(listOf(listOf(new Float32())), [null, [[1, 2]]]),
      }),
    });
    const hex = createSequenceExampleEncoder()
      .encode(batch)
      .map((record) => Buffer.from(record).toString("hex"));
    // Derived by hand: context = 1 and feature_lists = 2; in maps, key = 1 and value = 2; FeatureList.feature = 1.
    const expected = [
      "0a0d 0a0b 0a0163 1206 1a04 0a02 ac02 1215 0a13 0a0173 120e 0a06 0a04 0a027879 0a00 0a02 0a00",
      "0a07 0a05 0a0163 1200 121c 0a05 0a0173 1200 0a13 0a0166 120e 0a0c 120a 0a08 0000803f 00000040",
    ];
    expect(hex).toEqual(expected.map((record) => record.replaceAll(" ", "")));
  });

  test("writes decoded records so that protobuf-es reads the same values as from the original records", () => {
    const draw = new Draw(seededRandom(11));
    for (let round = 0; round < 150; round++) {
      const records = Array.from({ length: 1 + draw.below(6) }, () =>
        Uint8Array.from(randomSequenceExample(draw, draw.pick(["usual", "arbitrary"]))),
      );
      const first = draw.below(2);
      const batch = createSequenceExampleDecoder().decode(records).slice(first);
      const encoded = createSequenceExampleEncoder().encode(batch);
      expect(encoded.length).toBe(records.length - first);
      for (const [index, bytes] of encoded.entries()) {
        const found = judgeSequence(bytes);
        const given = judgeSequence(records[first + index] as Uint8Array);
        expect(found?.lists).toEqual(given?.lists);
        for (const [name, feature] of found?.context ?? []) {
          expect(feature).toEqual(given?.context.get(name) ?? null);
        }
        for (const name of given?.context.keys() ?? []) expect(found?.context.has(name)).toBe(true);
      }
    }
  });

  test("round-trips random batches through records", () => {
    const draw = new Draw(seededRandom(12));
    for (let round = 0; round < 150; round++) {
      const records = Array.from({ length: 1 + draw.below(6) }, () =>
        Uint8Array.from(randomSequenceExample(draw, "arbitrary")),
      );
      const listType: ExampleListType = draw.pick(["list", "large"]);
      const decoder = createSequenceExampleDecoder({ listType, sequenceColumn: "steps" });
      const batch = decoder.decode(records);
      const encoder = createSequenceExampleEncoder({ sequenceColumn: "steps" });
      expect(columnsOf(decoder.decode(encoder.encode(batch)))).toEqual(columnsOf(batch));
    }
  });

  test("distinguishes absent lists from lists without steps, and steps without a kind from steps without values", () => {
    const parts = [
      { featureLists: { s: [] } },
      { featureLists: {} },
      { featureLists: { s: [null, { kind: "int64", values: [] }, { kind: "int64", values: [2n ** 40n] }] } },
      { featureLists: { other: [null] } },
    ] as const;
    const records = parts.map((part) => encodeSequenceExample(part));
    const batch = createSequenceExampleDecoder().decode(records);
    expect(batch.schema.fields.map(String)).toEqual([
      "##SEQUENCE##: Struct<{other:List<Null>, s:List<List<Int64>>}>",
    ]);
    expect(createSequenceExampleEncoder().encode(batch)).toEqual(records);
  });

  test("writes feature_lists only for rows with a struct, and a context only for batches with context columns", () => {
    const without = createSequenceExampleEncoder().encode(
      batchOf({ c: columnOf(listOf(new Int64()), [[1n]]) }),
    );
    expect(judgeSequence(without[0] as Uint8Array)?.hasLists).toBe(false);
    const type = structOf({ s: listOf(listOf(new Int64())) });
    const s = columnOf(listOf(listOf(new Int64())), [[[1n]], [[2n]]]);
    const nullable = makeData({
      type,
      length: 2,
      nullCount: 1,
      nullBitmap: Uint8Array.of(0b10),
      children: [s],
    });
    const records = createSequenceExampleEncoder().encode(batchOf({ "##SEQUENCE##": nullable }));
    const hex = records.map((record) => Buffer.from(record).toString("hex"));
    // feature_lists { feature_list { key: "s" value { feature { int64_list { value: [2] } } } } }
    expect(hex).toEqual(["", "120e0a0c0a017312070a051a030a0102"]);
    const empty = makeData({ type: new Struct([]), length: 2, nullCount: 0, children: [] });
    expect(createSequenceExampleEncoder().encode(batchOf({ "##SEQUENCE##": empty }))).toEqual([
      Uint8Array.of(0x12, 0),
      Uint8Array.of(0x12, 0),
    ]);
  });

  test("accepts mixed list types, Null columns and slices, and omits values hidden under nulls", () => {
    const fixed = new FixedSizeList(2, itemOf(new Int64()));
    const hidden = makeData({
      type: listOf(listOf(new Int64())),
      nullBitmap: Uint8Array.of(0b1101),
      valueOffsets: Int32Array.of(0, 1, 2, 3, 4),
      child: makeData({
        type: listOf(new Int64()),
        nullBitmap: Uint8Array.of(0b1011),
        valueOffsets: Int32Array.of(0, 1, 2, 3, 4),
        child: makeData({ type: new Int64(), data: BigInt64Array.of(1n, 9n, 9n, 4n) }),
      }),
    });
    const batch = batchOf({
      "##SEQUENCE##": lists({
        fixed: columnOf(largeListOf(fixed), [[[1n, 2n]], [], [[3n, 4n], null], null]),
        hidden,
        nothing: makeData({ type: new Null(), length: 4 }),
      }),
      kindless: makeData({ type: new Null(), length: 4 }),
    });
    const parsed = createSequenceExampleEncoder()
      .encode(batch)
      .map((record) => judgeSequence(record));
    const values = (name: string): unknown[] =>
      parsed.map((row) => row?.lists.get(name)?.map((step) => step?.values ?? null) ?? null);
    expect(values("fixed")).toEqual([[["1", "2"]], [], [["3", "4"], null], null]);
    expect(values("hidden")).toEqual([[["1"]], null, [null], [["4"]]]);
    expect(values("nothing")).toEqual([null, null, null, null]);
    expect(parsed.map((row) => row?.context.get("kindless"))).toEqual([null, null, null, null]);
    expect(createSequenceExampleEncoder().encode(batch.slice(2))).toEqual(
      createSequenceExampleEncoder().encode(batch).slice(2),
    );
  });

  test("writes a nested context column as the column's ragged representation prescribes", () => {
    const schema = parseSchemaText(`tensor_representation_group { key: "" value {
      tensor_representation { key: "r" value { ragged_tensor {
        feature_path { step: "v" } partition { row_length: "n" } } } }
      tensor_representation { key: "s" value { ragged_tensor {
        feature_path { step: "##SEQUENCE##" step: "s" } } } } } }`);
    const batch = batchOf({
      r: columnOf(listOf(listOf(new Int64())), [[[1n], [2n, 3n]]]),
      "##SEQUENCE##": lists({ s: columnOf(listOf(listOf(new Int64())), [[[7n]]]) }),
    });
    const [record] = createSequenceExampleEncoder({ schema }).encode(batch);
    const parsed = judgeSequence(record as Uint8Array);
    expect(parsed?.context.get("v")?.values).toEqual(["1", "2", "3"]);
    expect(parsed?.context.get("n")?.values).toEqual(["1", "2"]);
    expect(parsed?.lists.get("s")?.[0]?.values).toEqual(["7"]);
  });

  test.each<[string, Data]>([
    ["schema-mismatch/not-a-struct", columnOf(listOf(listOf(new Int64())), [[[1n]]])],
    ["schema-mismatch/not-a-list", lists({ s: columnOf(listOf(new Int64()), [[1n]]) })],
    ["schema-mismatch/not-a-list", lists({ s: columnOf(new Int64(), [1n]) })],
    ["schema-mismatch/value-type", lists({ s: columnOf(listOf(listOf(new Int32())), [[[1]]]) })],
    ["schema-mismatch/value-type", lists({ s: columnOf(listOf(listOf(listOf(new Int64()))), [[[[1n]]]]) })],
  ])("throws %s for a sequence column of an unsupported type (case %#)", (expected, sequence) => {
    const batch = batchOf({ "##SEQUENCE##": sequence });
    expect(errorOf(() => createSequenceExampleEncoder().encode(batch))).toBe(expected);
  });

  test("rejects a null in a step, and names the feature list and the row", () => {
    const s = columnOf(listOf(listOf(new Int64())), [[[1n]], null, [[], [2n, null]]]);
    expect(() => createSequenceExampleEncoder().encode(batchOf({ "##SEQUENCE##": lists({ s }) }))).toThrow(
      expect.objectContaining({
        code: "not-convertible",
        reason: "cell-value",
        columnPath: "##SEQUENCE##.s",
        row: 2,
      }),
    );
  });

  test("rejects two lists with the same name", () => {
    const s = columnOf(listOf(listOf(new Int64())), [[[1n]]]);
    const fields = [new Field("s", s.type, true), new Field("s", s.type, true)];
    const twice = makeData({ type: new Struct(fields), length: 1, nullCount: 0, children: [s, s] });
    expect(errorOf(() => createSequenceExampleEncoder().encode(batchOf({ "##SEQUENCE##": twice })))).toBe(
      "schema-mismatch/duplicate-column",
    );
  });
});
