import { describe, expect, test } from "@jest/globals";
import { ColumnPath, parseSchemaText } from "@tfxio/schema";
import { encodeTfRecords, isTfxioError, type RecordBlock } from "@tfxio/wire";
import { type ExampleBatch, type ExamplePlan, typescriptKernels } from "@tfxio/wire/kernels";
import { type Data, Type } from "apache-arrow";
import {
  createExampleDecoder,
  createExampleEncoder,
  createSequenceExampleDecoder,
  createSequenceExampleEncoder,
  encodeExample,
  encodeSequenceExample,
  type FeatureValues,
  fromTransferable,
  toTransferable,
} from "../../src/index.js";
import { plainRows } from "../plain-rows.js";

const int64 = (...values: readonly number[]): FeatureValues => ({ kind: "int64", values });
const bytes = (...values: readonly string[]): FeatureValues => ({ kind: "bytes", values });

const schema = parseSchemaText(`
  feature { name: "pair" type: INT shape { dim { size: 1 } dim { size: 2 } } }
  feature { name: "one" type: FLOAT value_count { min: 1 max: 1 } }
  feature { name: "tags" type: BYTES shape { dim { size: 2 } } }
  feature { name: "some" type: INT value_count { min: 1 max: 2 } }
  feature { name: "open" type: INT shape { dim { } } }
  feature { name: "scalar" type: INT shape { } }`);

const rows = [
  {
    pair: int64(1, 2),
    one: { kind: "float", values: [0.5] },
    tags: bytes("a", "bc"),
    some: int64(1),
    open: null,
    scalar: int64(7),
  },
  { pair: int64(3, 4), one: null, tags: null, some: int64(1, 2), open: int64(9), scalar: int64(8) },
  {
    pair: int64(5, 6),
    one: { kind: "float", values: [1.5] },
    tags: bytes("", "d"),
    some: null,
    open: int64(),
    scalar: int64(9),
  },
] as const;

const columnOf = (batch: { readonly data: { readonly children: readonly Data[] } }, index: number): Data =>
  batch.data.children[index] as Data;

const errorOf = (run: () => unknown): { readonly message?: string; readonly recordIndex?: unknown } => {
  try {
    run();
  } catch (error) {
    if (isTfxioError(error)) return error;
    throw error;
  }
  return {};
};

describe('listType "fixed"', () => {
  const decoder = createExampleDecoder({ schema, listType: "fixed" });
  const batch = decoder.decode(rows.map((row) => encodeExample(row)));

  test("yields FixedSizeList columns, in batches and in the Arrow schema, for features of a fixed length", () => {
    expect(decoder.arrowSchema().fields.map(String)).toEqual([
      "pair: FixedSizeList[2]<Int64>",
      "one: FixedSizeList[1]<Float32>",
      "tags: FixedSizeList[2]<Binary>",
      "some: List<Int64>",
      "open: List<Int64>",
      "scalar: FixedSizeList[1]<Int64>",
    ]);
    expect(batch.schema.fields.map(String)).toEqual(decoder.arrowSchema().fields.map(String));
    expect(batch.data.children.map((data) => data.type.typeId)).toEqual([
      Type.FixedSizeList,
      Type.FixedSizeList,
      Type.FixedSizeList,
      Type.List,
      Type.List,
      Type.FixedSizeList,
    ]);
  });

  test("keeps the values of each record, and null where a feature has no kind", () => {
    expect(batch.data.children.map((data) => plainRows(data))).toEqual([
      [
        ["1n", "2n"],
        ["3n", "4n"],
        ["5n", "6n"],
      ],
      [[0.5], null, [1.5]],
      [["a", "bc"], null, ["", "d"]],
      [["1n"], ["1n", "2n"], null],
      [null, ["9n"], []],
      [["7n"], ["8n"], ["9n"]],
    ]);
  });

  test("fills null rows with hidden values that are zero or empty, not null", () => {
    const one = columnOf({ data: columnOf(batch, 1) }, 0);
    expect(Array.from(one.values as Float32Array)).toEqual([0.5, 0, 1.5]);
    expect(one.nullCount).toBe(0);
    const tags = columnOf({ data: columnOf(batch, 2) }, 0);
    expect(Array.from(tags.valueOffsets as Int32Array)).toEqual([0, 1, 3, 3, 3, 3, 4]);
  });

  test("yields batches that encode to the same records as batches of lists, and survive a transfer", () => {
    const lists = createExampleDecoder({ schema }).decode(rows.map((row) => encodeExample(row)));
    expect(createExampleEncoder().encode(batch)).toEqual(createExampleEncoder().encode(lists));
    const { layout, buffers } = toTransferable(batch);
    const arrived = fromTransferable(structuredClone({ layout, buffers }));
    expect(arrived.schema.fields.map(String)).toEqual(batch.schema.fields.map(String));
    expect(arrived.data.children.map((data) => plainRows(data))).toEqual(
      batch.data.children.map((data) => plainRows(data)),
    );
  });

  test("shares the kernel's values if no list is null", () => {
    const made: unknown[] = [];
    const kernels = {
      ...typescriptKernels,
      exampleDecoder: (plan: ExamplePlan) => {
        const kernel = typescriptKernels.exampleDecoder(plan);
        const finish = (): ExampleBatch => {
          const finished = kernel.finish();
          made.push(...finished.columns.map(({ values }) => values));
          return finished;
        };
        return new Proxy(kernel, {
          get: (target, key) => {
            const member: unknown = key === "finish" ? finish : Reflect.get(target, key, target);
            return typeof member === "function" ? (member.bind(target) as unknown) : member;
          },
        });
      },
    };
    const spied = createExampleDecoder({ schema, listType: "fixed", kernels });
    const values = spied
      .decode(rows.map((row) => encodeExample(row)))
      .data.children.map((data) => (data.children[0] as Data).values.buffer as unknown);
    const buffers = made.map((array) => (array as Float32Array).buffer);
    expect(values[0]).toBe(buffers[0]);
    expect(values[1]).not.toBe(buffers[1]);
    expect(values[5]).toBe(buffers[5]);
  });

  test("requires a schema", () => {
    expect(errorOf(() => createExampleDecoder({ listType: "fixed" }))).toMatchObject({
      code: "invalid-argument",
      argument: "listType",
    });
  });

  test("keeps nulls in slices, and the types in empty batches", () => {
    expect(plainRows(columnOf(batch.slice(1, 2), 2))).toEqual([null]);
    expect(decoder.decode([]).schema.fields.map(String)).toEqual(batch.schema.fields.map(String));
  });
});

describe("a list of the wrong length", () => {
  const good = encodeExample({ pair: int64(1, 2) });
  const bad = encodeExample({ pair: int64(1, 2, 3) });
  const unlimited = { maxRows: Infinity, maxBytes: Infinity };

  test("causes an error that names the record, column and both lengths, and leaves the decoder usable", () => {
    const decoder = createExampleDecoder({ schema, listType: "fixed" });
    expect(errorOf(() => decoder.decode([good, good, bad]))).toMatchObject({
      code: "schema-mismatch",
      reason: "list-length",
      columnPath: "pair",
      recordIndex: 2,
      expected: "2",
      actual: "3",
    });
    expect(errorOf(() => decoder.decode([encodeExample({ pair: int64() })]))).toMatchObject({ actual: "0" });
    expect(decoder.decode([good]).numRows).toBe(1);
  });

  test("causes an error that names the file and the record of a block", () => {
    const decoder = createExampleDecoder({ schema, listType: "fixed" });
    const block: RecordBlock = {
      uri: "file:///a",
      bytes: Uint8Array.from([...good, ...bad]),
      starts: Uint32Array.of(0, good.length),
      ends: Uint32Array.of(good.length, good.length + bad.length),
      numRecords: 2,
      firstRecordIndex: 40,
      byteOffset: 0,
    };
    decoder.push(block, 0, { ...unlimited, maxRows: 1 });
    decoder.push(block, 1, unlimited);
    expect(errorOf(() => decoder.finish())).toMatchObject({ uri: "file:///a", recordIndex: 41 });
  });

  test("causes an error that names the file and the record of a window, even if pushing starts inside the window", async () => {
    const framed = await encodeTfRecords([good, good, bad, good]);
    const window = { uri: "file:///a", bytes: framed, firstRecordIndex: 10, byteOffset: 0 };
    const options = { verifyPayload: true, maxRecordBytes: 100 };
    const decoder = createExampleDecoder({ schema, listType: "fixed" });
    const { consumed } = decoder.pushFramed(window, 0, { ...unlimited, maxRows: 1 }, options);
    expect(decoder.finish().numRows).toBe(1);
    decoder.pushFramed(window, consumed, unlimited, options);
    expect(errorOf(() => decoder.finish())).toMatchObject({ uri: "file:///a", recordIndex: 12 });
    const other = createExampleDecoder({ schema, listType: "fixed" });
    other.pushFramed({ ...window }, consumed, unlimited, options);
    expect(errorOf(() => other.finish())).toMatchObject({ uri: "file:///a", recordIndex: 12 });
  });

  test("causes an error that names the row if skipped records make the record's index unknown", () => {
    const decoder = createExampleDecoder({ schema, listType: "fixed", onMalformed: "skip" });
    const error = errorOf(() => decoder.decode([Uint8Array.of(7), good, bad]));
    expect(error.recordIndex).toBeUndefined();
    expect(error.message).toContain("row 1 of the batch");
  });
});

describe("feature lists", () => {
  const text = (counts: string): ReturnType<typeof parseSchemaText> =>
    parseSchemaText(`feature { name: "##SEQUENCE##" type: STRUCT struct_domain {
      feature { name: "s" type: INT value_counts { ${counts} } } } }`);
  const exactly = (n: number): string => `value_count { min: ${n} max: ${n} }`;
  const record = (...steps: readonly (FeatureValues | null)[]): Uint8Array =>
    encodeSequenceExample({ featureLists: { s: steps } });
  const records = [record(int64(1, 2), null), encodeSequenceExample({}), record(int64(3, 4), int64(5, 6))];

  test.each<[string, string]>([
    [`${exactly(2)} ${exactly(2)}`, "FixedSizeList[2]<FixedSizeList[2]<Int64>>"],
    [`${exactly(2)} value_count { min: 1 }`, "FixedSizeList[2]<List<Int64>>"],
    [`value_count { min: 1 } ${exactly(2)}`, "List<FixedSizeList[2]<Int64>>"],
    [exactly(2), "FixedSizeList[2]<List<Int64>>"],
  ])("take their fixed sizes from %s", (counts, type) => {
    const decoder = createSequenceExampleDecoder({ schema: text(counts), listType: "fixed" });
    const batch = decoder.decode(records);
    expect(batch.schema.fields.map(String)).toEqual([`##SEQUENCE##: Struct<{s:${type}}>`]);
    expect(plainRows(columnOf(batch, 0))).toEqual([
      { s: [["1n", "2n"], null] },
      { s: null },
      {
        s: [
          ["3n", "4n"],
          ["5n", "6n"],
        ],
      },
    ]);
    expect(createSequenceExampleEncoder().encode(batch)).toEqual([
      records[0],
      Uint8Array.of(0x12, 0),
      records[2],
    ]);
  });

  test("cause an error that names the record if a step is too short or a row has too few steps", () => {
    const steps = createSequenceExampleDecoder({
      schema: text(`value_count { min: 1 } ${exactly(2)}`),
      listType: "fixed",
    });
    expect(
      errorOf(() => steps.decode([record(int64(1, 2)), record(), record(int64(1, 2), int64(1))])),
    ).toMatchObject({
      reason: "list-length",
      columnPath: "##SEQUENCE##.s",
      recordIndex: 2,
      actual: "1",
    });
    const rowsOf = createSequenceExampleDecoder({ schema: text(exactly(2)), listType: "fixed" });
    expect(errorOf(() => rowsOf.decode([record(null, null), record(null)]))).toMatchObject({
      recordIndex: 1,
    });
  });
});

test("a decoder of fixed-size lists uses the first of two schema features with the same name", () => {
  const twice = parseSchemaText(`
    feature { name: "x" type: INT shape { dim { size: 2 } } }
    feature { name: "x" type: INT shape { dim { size: 3 } } }`);
  const { fields } = createExampleDecoder({ schema: twice, listType: "fixed" }).arrowSchema();
  expect(fields.map(String)).toEqual(["x: FixedSizeList[2]<Int64>"]);
});

describe('raw records with listType "fixed"', () => {
  test("become one-element lists in the last column", () => {
    const decoder = createExampleDecoder({ schema, listType: "fixed", rawRecordColumn: "raw" });
    const record = encodeExample({ pair: int64(1, 2) });
    const batch = decoder.decode([record]);
    expect(batch.schema.fields.map(String)).toEqual(decoder.arrowSchema().fields.map(String));
    expect(String(batch.schema.fields[0])).toBe("pair: FixedSizeList[2]<Int64>");
    expect(String(batch.schema.fields.at(-1))).toBe("raw: List<Binary>");
    expect(plainRows(columnOf(batch, 0))).toEqual([["1n", "2n"]]);
    expect(Array.from(batch.getChild("raw")?.get(0)?.get(0) as Uint8Array)).toEqual(Array.from(record));
  });

  test("can be combined with fixed-size feature lists", () => {
    const sequences = parseSchemaText(`
      feature { name: "##SEQUENCE##" type: STRUCT struct_domain {
        feature { name: "s" type: INT value_counts { value_count { min: 1 max: 1 } } } } }`);
    const options = { schema: sequences, listType: "fixed", rawRecordColumn: "raw" } as const;
    const record = encodeSequenceExample({ featureLists: { s: [int64(1, 2)] } });
    const batch = createSequenceExampleDecoder(options).decode([record]);
    expect(batch.schema.fields.map(String)).toEqual([
      "##SEQUENCE##: Struct<{s:FixedSizeList[1]<List<Int64>>}>",
      "raw: List<Binary>",
    ]);
    expect(plainRows(columnOf(batch, 0))).toEqual([{ s: [["1n", "2n"]] }]);
    expect(Array.from(batch.getChild("raw")?.get(0)?.get(0) as Uint8Array)).toEqual(Array.from(record));
  });

  test("remain lists without a fixed size, even if their column has the name of an unread fixed-size feature", () => {
    const decoder = createExampleDecoder({
      schema,
      columns: [ColumnPath.of("one")],
      listType: "fixed",
      rawRecordColumn: "tags",
    });
    expect(decoder.decode([encodeExample({})]).schema.fields.map(String)).toEqual([
      "one: FixedSizeList[1]<Float32>",
      "tags: List<Binary>",
    ]);
  });
});
