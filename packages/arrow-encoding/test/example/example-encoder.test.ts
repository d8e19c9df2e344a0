import { describe, expect, test } from "@jest/globals";
import { parseSchemaText } from "@tfxio/schema";
import { isTfxioError } from "@tfxio/wire";
import {
  Binary,
  type Data,
  type DataType,
  FixedSizeList,
  Float32,
  Float64,
  Int32,
  Int64,
  List,
  makeData,
  Null,
  RecordBatch,
  Utf8,
} from "apache-arrow";
import { createExampleDecoder, createExampleEncoder, type ExampleListType } from "../../src/index.js";
import { batchOf, batchWith, itemOf, largeListOf, listOf } from "../batches.js";
import { plainRows } from "../plain-rows.js";
import { judge } from "../protobuf-judge.js";
import { Draw, seededRandom } from "../random.js";
import { randomExample } from "../random-example.js";

const columnsOf = (batch: RecordBatch): unknown[] =>
  batch.schema.fields.map(({ name, type }, index) => [
    name,
    String(type),
    plainRows(batch.data.children[index] as Data),
  ]);

const errorOf = (run: () => unknown): string | undefined => {
  try {
    run();
  } catch (error) {
    if (isTfxioError(error)) return `${error.code}/${error.reason}`;
    throw error;
  }
  return undefined;
};

const ragged = (text: string): ReturnType<typeof parseSchemaText> =>
  parseSchemaText(
    `tensor_representation_group { key: "" value { tensor_representation { key: "r" value { ragged_tensor { ${text} } } } } }`,
  );

describe("createExampleEncoder", () => {
  test("writes the bytes that the protobuf encoding prescribes, with packed lists", () => {
    const batch = batchOf({
      i: [listOf(new Int64()), [[1n, 300n, -1n], null, []]],
      f: [listOf(new Float32()), [[1], [], null]],
      b: [listOf(new Binary()), [[Buffer.from("xy"), Buffer.alloc(0)], null, []]],
    });
    const hex = createExampleEncoder()
      .encode(batch)
      .map((record) => Buffer.from(record).toString("hex"));
    // Derived by hand from the wire format: Example.features = 1; in map entries, key = 1 and value = 2.
    const expected = [
      "0a36 0a16 0a0169 1211 1a0f 0a0d 01 ac02 ffffffffffffffffff01 " +
        "0a0d 0a0166 1208 1206 0a04 0000803f 0a0d 0a0162 1208 0a06 0a027879 0a00",
      "0a17 0a05 0a0169 1200 0a07 0a0166 1202 1200 0a05 0a0162 1200",
      "0a19 0a07 0a0169 1202 1a00 0a05 0a0166 1200 0a07 0a0162 1202 0a00",
    ];
    expect(hex).toEqual(expected.map((record) => record.replaceAll(" ", "")));
  });

  test("round-trips random batches through records, in which a null list is a feature without a kind", () => {
    const draw = new Draw(seededRandom(5));
    for (let round = 0; round < 120; round++) {
      const records = Array.from({ length: 1 + draw.below(6) }, () =>
        Uint8Array.from(randomExample(draw, "usual")),
      );
      const listType: ExampleListType = draw.pick(["list", "large"]);
      const decoder = createExampleDecoder({ listType });
      const whole = decoder.decode(records);
      const batch = withoutNullColumns(whole).slice(draw.below(2));
      const typed = batch.schema.fields.map(({ name }) => name);
      const encoded = createExampleEncoder().encode(batch);
      expect(encoded.length).toBe(batch.numRows);
      const schema = parseSchemaText(
        batch.schema.fields.map(({ name, type }) => featureText(name, type as List)).join("\n"),
      );
      const again = createExampleDecoder({ listType, schema }).decode(encoded);
      expect(columnsOf(again)).toEqual(columnsOf(batch));
      for (const [row, record] of encoded.entries()) {
        const parsed = judge(record);
        expect([...(parsed?.keys() ?? [])].sort()).toEqual([...typed].sort());
        for (const [index, name] of typed.entries()) {
          const isNull = (batch.getChildAt(index)?.get(row) as unknown) === null;
          expect(parsed?.get(name) === null).toBe(isNull);
        }
      }
    }
  });

  test("writes long names, values and lists", () => {
    const name = "n".repeat(300);
    const values = Array.from({ length: 40_000 }, (_, i) => BigInt(i) ** 4n);
    const blob = new Uint8Array(3_000_000).fill(7);
    const batch = batchOf({ [name]: [listOf(new Int64()), [values]], b: [listOf(new Binary()), [[blob]]] });
    const [record] = createExampleEncoder().encode(batch);
    const parsed = judge(record as Uint8Array);
    expect(parsed?.get(name)?.values).toEqual(values.map(String));
    expect(parsed?.get("b")?.values).toEqual([{ b64: Buffer.from(blob).toString("base64") }]);
  });

  test("writes batches of hundreds of rows", () => {
    const rows = Array.from({ length: 333 }, (_, row) => row);
    const batch = batchOf({
      i: [listOf(new Int64()), rows.map((row) => (row % 7 === 0 ? null : [BigInt(row) ** 5n]))],
      b: [listOf(new Binary()), rows.map((row) => [Buffer.alloc(row % 150, row)])],
    });
    const encoded = createExampleEncoder().encode(batch);
    expect(encoded.map((record) => judge(record)?.get("i")?.values ?? null)).toEqual(
      rows.map((row) => (row % 7 === 0 ? null : [String(BigInt(row) ** 5n)])),
    );
    expect(encoded.map((record) => judge(record)?.get("b")?.values)).toEqual(
      rows.map((row) => [{ b64: Buffer.alloc(row % 150, row).toString("base64") }]),
    );
  });

  test("leaves out values hidden under nulls or outside slices", () => {
    const type = listOf(new Int64());
    const column = makeData({
      type,
      nullBitmap: Uint8Array.of(0b101),
      valueOffsets: Int32Array.of(1, 2, 4, 5),
      child: makeData({ type: new Int64(), data: BigInt64Array.of(9n, 1n, 9n, 9n, 2n, 9n) }),
    });
    const batch = batchOf({ x: column });
    const values = (of: RecordBatch): unknown[] =>
      createExampleEncoder()
        .encode(of)
        .map((record) => judge(record)?.get("x")?.values ?? null);
    expect(values(batch)).toEqual([["1"], null, ["2"]]);
    expect(values(batch.slice(2))).toEqual([["2"]]);
  });

  test("accepts fixed-size lists, and lists of large lists with a ragged representation", () => {
    const fixed = new FixedSizeList(2, itemOf(new Int64()));
    const schema = ragged('feature_path { step: "v" } partition { row_length: "n" }');
    const batch = batchOf({
      f: [
        fixed,
        [
          [1n, 2n],
          [3n, 4n],
        ],
      ],
      r: [listOf(largeListOf(new Int64())), [[[1n], [2n, 3n]], [[]]]],
    });
    const parsed = createExampleEncoder({ schema })
      .encode(batch)
      .map((record) => judge(record));
    expect(
      parsed.map((row) => [row?.get("f")?.values, row?.get("n")?.values, row?.get("v")?.values]),
    ).toEqual([
      [
        ["1", "2"],
        ["1", "2"],
        ["1", "2", "3"],
      ],
      [["3", "4"], ["0"], []],
    ]);
    expect(parsed[0]?.has("r")).toBe(false);
  });

  test("writes empty `features` messages for a batch without columns, and nothing for a batch without rows", () => {
    // As in RecordBatchToExamplesEncoder of tfx_bsl 1.21.
    const withoutFeatures = Uint8Array.of(0x0a, 0x00);
    expect(createExampleEncoder().encode(batchWith([], [], 2))).toEqual([withoutFeatures, withoutFeatures]);
    expect(createExampleEncoder().encode(batchOf({ x: [listOf(new Int64()), []] }))).toEqual([]);
  });

  test.each<[string, DataType, readonly unknown[]]>([
    ["schema-mismatch/not-a-list", new Int64(), [1n]],
    ["schema-mismatch/value-type", listOf(new Int32()), [[1]]],
    ["schema-mismatch/value-type", listOf(new Float64()), [[1]]],
    ["schema-mismatch/value-type", listOf(new Utf8()), [["a"]]],
    ["schema-mismatch/value-type", listOf(listOf(new Int64())), [[[1n]]]],
    ["shape-mismatch/too-many-levels", listOf(largeListOf(new Int64())), [[[1n]]]],
  ])("throws %s for a column of %s", (expected, type, values) => {
    expect(errorOf(() => createExampleEncoder().encode(batchOf({ x: [type, values] })))).toBe(expected);
  });

  test("says how many partitions and levels of lists a column has if they do not match", () => {
    const batch = batchOf({ x: [listOf(largeListOf(new Int64())), [[[1n]]]] });
    expect(() => createExampleEncoder().encode(batch)).toThrow(
      'Column "x" must have a tensor representation with one row_length partition for each level of lists inside its rows, ' +
        "found 0 for 1 level.",
    );
  });

  test("rejects a null in a list, and names the column and the row", () => {
    const batch = batchOf({ x: [listOf(new Int64()), [[1n], null, [], [2n, null]]] });
    expect(() => createExampleEncoder().encode(batch)).toThrow(
      expect.objectContaining({ code: "not-convertible", reason: "cell-value", columnPath: "x", row: 3 }),
    );
  });

  test("rejects null inner lists, columns with a partition's name, and lengths not divisible by a uniform length", () => {
    const schema = ragged(
      'feature_path { step: "v" } partition { row_length: "n" } partition { uniform_row_length: 2 }',
    );
    const encode = (values: readonly unknown[]): unknown =>
      createExampleEncoder({ schema }).encode(batchOf({ r: [listOf(listOf(new Int64())), values] }));
    expect(errorOf(() => encode([[[1n, 2n], []], null]))).toBeUndefined();
    expect(errorOf(() => encode([[[1n, 2n, 3n]]]))).toBe("shape-mismatch/uniform-length");
    expect(errorOf(() => encode([[[1n, 2n], null]]))).toBe("not-convertible/cell-value");
    expect(
      errorOf(() =>
        createExampleEncoder({ schema }).encode(
          batchOf({
            r: [listOf(listOf(new Int64())), [[]]],
            n: [listOf(new Int64()), [[]]],
          }),
        ),
      ),
    ).toBe("schema-invalid/source-conflict");
  });

  test("rejects unsupported and invalid representations at creation", () => {
    const make = (text: string) => (): unknown => createExampleEncoder({ schema: ragged(text) });
    expect(errorOf(make('feature_path { step: "a" step: "b" }'))).toBe("unsupported/feature-path");
    expect(errorOf(make(""))).toBe("unsupported/feature-path");
    expect(errorOf(make('feature_path { step: "a" } partition { uniform_row_length: 0 }'))).toBe(
      "schema-invalid/representation",
    );
    const rule = 'A partition of tensor "r" must have a row_length or a positive uniform_row_length, found';
    expect(make('feature_path { step: "a" } partition { uniform_row_length: 0 }')).toThrow(
      `${rule} uniform_row_length 0.`,
    );
    expect(make('feature_path { step: "a" } partition {}')).toThrow(`${rule} neither.`);
  });
});

/** Returns the batch without its Null columns. Does not use the `select` method of arrow-js, which mixes up columns. */
function withoutNullColumns(batch: RecordBatch): RecordBatch {
  const isTyped = (_: unknown, index: number): boolean => !(batch.schema.fields[index]?.type instanceof Null);
  const fields = batch.schema.fields.filter(isTyped);
  return batchWith(fields, batch.data.children.filter(isTyped), batch.numRows);
}

function featureText(name: string, { valueType }: List): string {
  const type = valueType instanceof Int64 ? "INT" : valueType instanceof Float32 ? "FLOAT" : "BYTES";
  return `feature { name: ${JSON.stringify(name)} type: ${type} }`;
}
