import { describe, expect, test } from "@jest/globals";
import { parseSchemaText } from "@tfxio/schema";
import { type ExampleKernel, type ExamplePlan, type Kernels, typescriptKernels } from "@tfxio/wire/kernels";
import {
  Binary,
  type Data,
  Dictionary,
  Field,
  Int32,
  List,
  makeData,
  type RecordBatch,
  Schema as ArrowSchema,
  Struct,
  Vector,
} from "apache-arrow";
import {
  columnElements,
  concatBatches,
  createExampleDecoder,
  createExampleEncoder,
  createSequenceExampleDecoder,
  createSequenceExampleEncoder,
  encodeExample,
  encodeSequenceExample,
  flatValues,
  takeRows,
} from "../src/index.js";
import { recordBatchOf } from "../src/table/record-batch.js";
import { plainRows } from "./plain-rows.js";

const one = encodeExample({ x: { kind: "int64", values: [7] } });
const coded = (code: string, reason: string): unknown => expect.objectContaining({ code, reason });
const columnOf = (batch: RecordBatch): Data => batch.data.children[0] as Data;

describe("a name with a surrogate", () => {
  const renamed = (batch: RecordBatch, name: string): RecordBatch =>
    recordBatchOf(
      new ArrowSchema([new Field(name, columnOf(batch).type, true)]),
      batch.numRows,
      batch.data.children,
    );

  test("is rejected by the batch encoders and encodeExample if the surrogate is unpaired", () => {
    const batch = renamed(createExampleDecoder().decode([one]), "a\ud800");
    for (const encoder of [createExampleEncoder(), createSequenceExampleEncoder()]) {
      expect(() => encoder.encode(batch)).toThrow(coded("not-convertible", "cell-value"));
    }
    expect(() => encodeExample({ "a\ud800": null })).toThrow(coded("not-convertible", "cell-value"));
  });

  test("is rejected for a feature list if the surrogate is unpaired", () => {
    const steps = createSequenceExampleDecoder().decode([
      encodeSequenceExample({ featureLists: { s: [{ kind: "int64", values: [7] }] } }),
    ]);
    const struct = columnOf(steps);
    const field = new Field("s\udc00", (struct.children[0] as Data).type, true);
    const data = makeData({ type: new Struct([field]), length: 1, nullCount: 0, children: struct.children });
    const batch = recordBatchOf(new ArrowSchema([new Field("##SEQUENCE##", data.type, true)]), 1, [data]);
    expect(() => createSequenceExampleEncoder().encode(batch)).toThrow(
      coded("not-convertible", "cell-value"),
    );
  });

  test("is written if the surrogate is one of a pair", () => {
    const batch = renamed(createExampleDecoder().decode([one]), "\u{1f600}");
    expect(createExampleDecoder().decode(createExampleEncoder().encode(batch)).schema.names).toEqual([
      "\u{1f600}",
    ]);
  });
});

describe("fixed-size lists", () => {
  test("are rejected if their null rows would need at least 2^31 values, and the decoder stays usable", () => {
    const schema = parseSchemaText(
      'feature { name: "a" type: INT value_count { min: 1073741824 max: 1073741824 } }',
    );
    const decoder = createExampleDecoder({ schema, listType: "fixed" });
    const rows = [encodeExample({}), encodeExample({})];
    expect(() => decoder.decode(rows)).toThrow(coded("limit-exceeded", "batch-too-large"));
    expect(decoder.decode([]).numRows).toBe(0);
  });

  test("are rejected even if only the inner lists of null rows would need at least 2^31 values", () => {
    const count = "value_count { min: 65536 max: 65536 }";
    const schema = parseSchemaText(`feature { name: "##SEQUENCE##" type: STRUCT struct_domain {
      feature { name: "s" type: INT value_counts { ${count} ${count} } } } }`);
    const decoder = createSequenceExampleDecoder({ schema, listType: "fixed" });
    expect(() => decoder.decode([encodeSequenceExample({})])).toThrow(
      coded("limit-exceeded", "batch-too-large"),
    );
  });
});

describe("a failed allocation", () => {
  /** Returns kernels in which the first call to the method `name` fails to allocate memory. */
  function poorKernels(name: "finish" | "finishLeased"): Kernels {
    let isFirst = true;
    return {
      ...typescriptKernels,
      exampleDecoder(plan: ExamplePlan): ExampleKernel {
        const kernel = typescriptKernels.exampleDecoder(plan);
        const reject = (): never => {
          isFirst = false;
          throw new RangeError("Array buffer allocation failed");
        };
        return new Proxy(kernel, {
          get: (target, key) => {
            const member: unknown = key === name && isFirst ? reject : Reflect.get(target, key, target);
            return typeof member === "function" ? (member.bind(target) as unknown) : member;
          },
        });
      },
    };
  }

  test.each(["finish", "finishLeased"] as const)(
    "is reported by %s as batch-too-large, and leaves the decoder empty and usable",
    (name) => {
      const decoder = createExampleDecoder({ kernels: poorKernels(name) });
      const block = {
        uri: "file:///a",
        bytes: one,
        starts: Uint32Array.of(0),
        ends: Uint32Array.of(one.length),
        numRecords: 1,
        firstRecordIndex: 0,
        byteOffset: 0,
      };
      decoder.push(block, 0, { maxRows: Infinity, maxBytes: Infinity });
      expect(() => decoder[name]()).toThrow(coded("limit-exceeded", "batch-too-large"));
      expect(decoder.numRows).toBe(0);
      expect(plainRows(columnOf(decoder.decode([one])))).toEqual([["7n"]]);
    },
  );
});

test("flatValues rejects a dictionary column that would expand to 2^31 bytes", () => {
  const mebibyte = 2 ** 20;
  const entry = makeData({
    type: new Binary(),
    length: 1,
    nullCount: 0,
    valueOffsets: Int32Array.of(0, mebibyte),
    data: new Uint8Array(mebibyte),
  });
  const data = makeData({
    type: new Dictionary(new Binary(), new Int32()),
    length: 2048,
    nullCount: 0,
    data: new Int32Array(2048),
    dictionary: new Vector([entry]),
  });
  expect(() => flatValues(columnElements(data))).toThrow(coded("out-of-range", "batch-too-large"));
});

describe("a batch with detached memory", () => {
  const text = encodeExample({ x: { kind: "bytes", values: ["a"] } });
  const uses: Readonly<Record<string, (batch: RecordBatch) => unknown>> = {
    "createExampleEncoder().encode": (batch) => createExampleEncoder().encode(batch),
    "createSequenceExampleEncoder().encode": (batch) => createSequenceExampleEncoder().encode(batch),
    columnElements: (batch) => columnElements(columnOf(batch)),
    takeRows: (batch) => takeRows(batch, Uint32Array.of(0)),
    concatBatches: (batch) => concatBatches([batch, batch], batch.schema),
  };

  test.each(Object.keys(uses))("is rejected by %s as detached-buffer", (name) => {
    for (const record of [one, text]) {
      const decoder = createExampleDecoder();
      const block = {
        uri: "file:///a",
        bytes: record,
        starts: Uint32Array.of(0),
        ends: Uint32Array.of(record.length),
        numRecords: 1,
        firstRecordIndex: 0,
        byteOffset: 0,
      };
      decoder.push(block, 0, { maxRows: Infinity, maxBytes: Infinity });
      const { batch, release } = decoder.finishLeased();
      expect(() => uses[name]?.(batch)).not.toThrow();
      // If the kernels lend no memory, `release` detaches nothing, so a transfer detaches the buffer instead.
      release();
      const { buffer } = columnOf(batch).valueOffsets;
      if (buffer.byteLength > 0) structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
      expect(() => uses[name]?.(batch)).toThrow(coded("invalid-argument", "detached-buffer"));
    }
  });

  test("is rejected even if its lists have a fixed size and therefore no offsets", () => {
    const schema = parseSchemaText('feature { name: "x" type: INT shape { dim { size: 1 } } }');
    const batch = createExampleDecoder({ schema, listType: "fixed" }).decode([one]);
    const { buffer } = (columnOf(batch).children[0] as Data).values as BigInt64Array<ArrayBuffer>;
    structuredClone(buffer, { transfer: [buffer] });
    expect(() => createExampleEncoder().encode(batch)).toThrow(coded("invalid-argument", "detached-buffer"));
  });

  test("is distinguished from a batch without rows or with only nulls", () => {
    const empty = makeData({ type: new List(new Field("item", new Int32(), true)), length: 0 });
    expect(columnElements(empty).length).toBe(0);
    const nulls = createExampleDecoder().decode([encodeExample({ x: null })]);
    expect(columnElements(columnOf(nulls)).length).toBe(1);
  });
});

test.each([
  ["createExampleDecoder", createExampleDecoder],
  ["createSequenceExampleDecoder", createSequenceExampleDecoder],
  ["createExampleEncoder", createExampleEncoder],
  ["createSequenceExampleEncoder", createSequenceExampleEncoder],
])("%s rejects an array passed as the options", (_, create) => {
  expect(() => create([] as never)).toThrow(expect.objectContaining({ code: "invalid-argument" }));
});
