import { describe, expect, test } from "@jest/globals";
import { createExampleKernel } from "../../src/kernels/typescript/example-kernel.js";
import {
  type ExampleBatch,
  type ExampleKernel,
  type ExamplePlan,
  FeatureKind,
  KernelStatus,
  type PushResult,
  typescriptKernels,
} from "../../src/kernels/index.js";
import { createWasmKernels } from "../../src/kernels/wasm/wasm-kernels.js";
import { frame } from "./frames.js";

const unlimited = { maxRows: Infinity, maxBytes: Infinity };
const framed = { verifyPayload: true, maxRecordBytes: 1000 };
const ascii = (text: string): number[] => [...new TextEncoder().encode(text)];
const field = (number: number, payload: readonly number[]): number[] => [
  number * 8 + 2,
  payload.length,
  ...payload,
];
const entry = (name: string, feature: readonly number[]): number[] =>
  field(1, [...field(1, ascii(name)), ...field(2, feature)]);
const example = (...entries: readonly (readonly number[])[]): Uint8Array =>
  Uint8Array.from(field(1, entries.flat()));
const bytesOf = (...values: readonly string[]): number[] =>
  field(
    1,
    values.flatMap((value) => field(1, ascii(value))),
  );
const ints = (...values: readonly number[]): number[] => field(3, field(1, values));
const floats = (...values: readonly number[]): number[] =>
  field(2, field(1, [...new Uint8Array(Float32Array.from(values).buffer)]));

/** Returns where the content of an entry starts in a record made by `example`. The entries `before` precede the entry. */
const entryStart = (...before: readonly (readonly number[])[]): number => 2 + before.flat().length + 2;

function push(kernel: ExampleKernel, ...records: readonly Uint8Array[]): PushResult {
  const bytes = new Uint8Array(Buffer.concat(records));
  const ends = new Uint32Array(records.length);
  let end = 0;
  for (const [i, record] of records.entries()) ends[i] = end += record.length;
  const starts = Uint32Array.from(ends, (value, i) => value - records[i]!.length);
  return kernel.pushRecords(bytes, starts, ends, 0, records.length, unlimited);
}

describe.each([typescriptKernels, createWasmKernels()])("exampleDecoder in $name", (kernels) => {
  const rows = [
    example(entry("b", bytesOf("x", "yz")), entry("i", ints(1, 2)), entry("f", floats(1.5))),
    example(entry("i", ints())),
    example(entry("b", bytesOf("")), entry("n", [])),
  ];
  const expected: ExampleBatch = {
    numRows: 3,
    numSkipped: 0,
    columns: [
      {
        name: "b",
        kind: FeatureKind.bytes,
        nullCount: 1,
        validity: Uint8Array.of(0b101),
        offsets: Int32Array.of(0, 2, 2, 3),
        values: Uint8Array.from(ascii("xyz")),
        valueOffsets: Int32Array.of(0, 1, 3, 3),
      },
      {
        name: "f",
        kind: FeatureKind.float,
        nullCount: 2,
        validity: Uint8Array.of(0b001),
        offsets: Int32Array.of(0, 1, 1, 1),
        values: Float32Array.of(1.5),
      },
      {
        name: "i",
        kind: FeatureKind.int64,
        nullCount: 1,
        validity: Uint8Array.of(0b011),
        offsets: Int32Array.of(0, 2, 2, 2),
        values: BigInt64Array.of(1n, 2n),
      },
      {
        name: "n",
        kind: FeatureKind.unset,
        nullCount: 3,
        offsets: new Int32Array(0),
        values: new Uint8Array(0),
      },
    ],
  };

  test("returns buffers in Arrow layout for each batch", () => {
    const kernel = kernels.exampleDecoder({});
    for (let i = 0; i < 3; i++) {
      expect(push(kernel, ...rows)).toMatchObject({ status: KernelStatus.ok, consumed: 3, numRecords: 3 });
      expect(kernel.finish()).toEqual(expected);
    }
    expect(kernel.finish()).toEqual({ numRows: 0, numSkipped: 0, columns: [] });
  });

  if (kernels.name === "typescript") {
    test("returns buffers in Arrow layout even if isStrict is true", () => {
      const kernel = createExampleKernel({}, { isStrict: true });
      push(kernel, ...rows);
      expect(kernel.finish()).toEqual(expected);
    });
  }

  test("returns buffers in Arrow layout for framed records too, and does not consume an incomplete record", () => {
    const kernel = kernels.exampleDecoder({});
    const file = new Uint8Array(Buffer.concat(rows.map((row) => frame(row))));
    const cut = kernel.pushTfRecords(file, 0, file.length - 1, unlimited, framed);
    expect(cut).toMatchObject({ status: KernelStatus.ok, numRecords: 2, isFull: false });
    expect(kernel.pushTfRecords(file, cut.consumed, file.length, unlimited, framed).numRecords).toBe(1);
    expect(kernel.finish()).toEqual(expected);
  });

  test("returns buffers for planned columns, even without rows", () => {
    const kinds = [FeatureKind.bytes, FeatureKind.float, FeatureKind.int64] as const;
    const kernel = kernels.exampleDecoder({
      columns: kinds.map((kind) => ({ name: `k${kind}`, kind })),
    });
    const { columns } = kernel.finish();
    expect(columns.map(({ offsets, values, nullCount }) => [[...offsets], values.length, nullCount])).toEqual(
      [
        [[0], 0, 0],
        [[0], 0, 0],
        [[0], 0, 0],
      ],
    );
    expect(columns[0]?.valueOffsets).toEqual(Int32Array.of(0));
  });

  test("returns a correct validity bitmap for a column with nulls, and no bitmap for a column without nulls", () => {
    const kernel = kernels.exampleDecoder({ columns: [{ name: "i", kind: FeatureKind.int64 }] });
    const some = example(entry("i", ints(1)));
    const none = example();
    push(kernel, ...Array.from({ length: 1000 }, () => some));
    expect(kernel.finish().columns[0]).toMatchObject({ nullCount: 0, validity: undefined });
    push(kernel, ...Array.from({ length: 1000 }, (_, i) => (i === 500 || i > 990 ? none : some)));
    const [column] = kernel.finish().columns;
    expect(column?.nullCount).toBe(10);
    const isPresent = (row: number): boolean => (column!.validity![row >> 3]! & (1 << (row & 7))) !== 0;
    for (let row = 0; row < 1000; row++) expect(isPresent(row)).toBe(row !== 500 && row <= 990);
  });

  test("reports a feature of the wrong kind, an unlisted feature or a malformed record, and can then decode a new batch", () => {
    const plan: ExamplePlan = {
      columns: [{ name: "i", kind: FeatureKind.int64 }],
      unlisted: "error",
      ignored: ["x"],
    };
    const kernel = kernels.exampleDecoder(plan);
    const good = example(entry("i", ints(1)), entry("x", floats(1)), entry("y", []));
    expect(push(kernel, good, example(entry("i", floats())))).toMatchObject({
      status: KernelStatus.wrongKind,
      numRecords: 1,
      errorOffset: good.length + 4,
      featureName: "i",
      expectedKind: FeatureKind.int64,
      actualKind: FeatureKind.float,
    });
    expect(kernel.numRows).toBe(0);
    expect(push(kernel, example(entry("y", ints(1))))).toMatchObject({
      status: KernelStatus.unlistedFeature,
      featureName: "y",
      actualKind: FeatureKind.int64,
    });
    expect(push(kernel, Uint8Array.of(0x0a))).toMatchObject({
      status: KernelStatus.malformedPayload,
      errorOffset: 1,
    });
    expect(push(kernel, good).status).toBe(KernelStatus.ok);
    expect(kernel.finish().columns[0]?.values).toEqual(BigInt64Array.of(1n));
  });

  describe("a record with feature lists", () => {
    const plain = example(entry("i", ints(1)));
    const sequence = Uint8Array.from([...plain, ...field(2, field(1, field(1, ascii("list"))))]);
    const malformed = Uint8Array.from([...sequence, 0x0a]);

    test("is decoded without its feature lists", () => {
      const kernel = kernels.exampleDecoder({});
      expect(push(kernel, plain, sequence).status).toBe(KernelStatus.ok);
      const { numRows, columns } = kernel.finish();
      expect([numRows, columns.map(({ name }) => name)]).toEqual([2, ["i"]]);
    });

    test.each(["error", "skip"] as const)(
      "is rejected if rejectsFeatureLists is true and onMalformed is %j",
      (onMalformed) => {
        const kernel = kernels.exampleDecoder({ rejectsFeatureLists: true, onMalformed });
        expect(push(kernel, plain, sequence)).toMatchObject({
          status: KernelStatus.featureLists,
          numRecords: 1,
          errorOffset: plain.length + plain.length,
        });
        expect(push(kernel, plain).status).toBe(KernelStatus.ok);
        expect(kernel.finish().numRows).toBe(1);
      },
    );

    test('is skipped, not rejected, if the record is malformed and onMalformed is "skip"', () => {
      const kernel = kernels.exampleDecoder({ rejectsFeatureLists: true, onMalformed: "skip" });
      expect(push(kernel, malformed, plain)).toMatchObject({ status: KernelStatus.ok, numRecords: 2 });
      expect(kernel.numSkipped).toBe(1);
    });
  });

  describe("a batch with room for two discovered columns", () => {
    const [a, b, c] = [entry("a", ints(1)), entry("b", ints(2)), entry("c", ints(3))];
    const kernel = kernels.exampleDecoder({ maxColumns: 2, onMalformed: "skip" });
    const namesOf = ({ columns }: ExampleBatch): readonly string[] => columns.map(({ name }) => name);

    test("rejects an entry with a third name, even if malformed records are skipped", () => {
      expect(push(kernel, example(a), example(b, c))).toEqual({
        status: KernelStatus.tooManyColumns,
        consumed: 1,
        numRecords: 1,
        isFull: false,
        errorOffset: example(a).length + entryStart(b),
      });
    });

    test("can be followed by a batch with different columns", () => {
      expect(push(kernel, example(a, b), example(a))).toMatchObject({ status: KernelStatus.ok });
      expect(namesOf(kernel.finish())).toEqual(["a", "b"]);
      expect(push(kernel, example(b, c))).toMatchObject({ status: KernelStatus.ok });
      expect(namesOf(kernel.finish())).toEqual(["b", "c"]);
    });

    test("does not count the columns of a skipped record", () => {
      const malformed = Uint8Array.of(...example(c), 0x0a);
      expect(push(kernel, example(a), malformed, example(b))).toMatchObject({ status: KernelStatus.ok });
      expect(namesOf(kernel.finish())).toEqual(["a", "b"]);
    });
  });

  test("reports too many columns if a record has more unlisted features than maxColumns", () => {
    const columns = [{ name: "x", kind: FeatureKind.int64 }] as const;
    const kernel = kernels.exampleDecoder({ columns, unlisted: "error", maxColumns: 2 });
    const entries = ["a", "b", "c"].map((name) => entry(name, ints(1)));
    expect(push(kernel, example(...entries.slice(0, 2)))).toMatchObject({
      status: KernelStatus.unlistedFeature,
      featureName: "a",
    });
    expect(push(kernel, example(...entries))).toMatchObject({
      status: KernelStatus.tooManyColumns,
      errorOffset: entryStart(...entries.slice(0, 2)),
    });
  });

  test("does not count planned columns towards maxColumns", () => {
    const names = ["a", "b", "c"];
    const record = example(...names.map((name) => entry(name, ints(1))));
    const columns = names.map((name) => ({ name, kind: FeatureKind.int64 }));
    for (const plan of [{ columns }, { only: names }]) {
      expect(push(kernels.exampleDecoder({ ...plan, maxColumns: 1 }), record).status).toBe(KernelStatus.ok);
    }
  });

  test("ignores a mismatched or unlisted entry that a later entry of the record replaces", () => {
    const kernel = kernels.exampleDecoder({
      columns: [{ name: "i", kind: FeatureKind.int64 }],
      unlisted: "error",
    });
    const record = example(entry("i", floats(1)), entry("y", ints(1)), entry("y", []), entry("i", ints(2)));
    expect(push(kernel, record).status).toBe(KernelStatus.ok);
    expect(kernel.finish().columns[0]?.values).toEqual(BigInt64Array.of(2n));
  });

  test("counts values, offsets and raw records in numBytes", () => {
    const kernel = kernels.exampleDecoder({ keepRawRecords: true });
    expect(kernel.numBytes).toBe(0);
    const record = example(entry("b", bytesOf("abc")), entry("i", ints(1, 2)));
    push(kernel, record);
    // Two int64 values, three bytes and their value offset, the raw record and its value offset, and a row offset in each of the
    // three columns: `b`, `i` and the raw records.
    expect(kernel.numBytes).toBe(16 + 3 + 4 + record.length + 4 + 3 * 4);
  });

  test("returns buffers that are not much larger than their contents", () => {
    const kernel = kernels.exampleDecoder({});
    for (let i = 0; i < 3; i++) {
      push(
        kernel,
        ...Array.from({ length: 1000 }, () =>
          example(entry("i", ints(1, 2, 3)), entry("b", bytesOf("0123456789"))),
        ),
      );
      const arrays = kernel
        .finish()
        .columns.flatMap(({ values, offsets, valueOffsets }) => [values, offsets, valueOffsets ?? values]);
      const held = [...new Set(arrays.map(({ buffer }) => buffer))].map(({ byteLength }) => byteLength);
      const used = [...new Set(arrays)].map(({ byteLength }) => byteLength);
      const sum = (lengths: readonly number[]): number =>
        lengths.reduce((total, length) => total + length, 0);
      expect(sum(held)).toBeLessThanOrEqual(2.1 * sum(used) + 1024);
    }
  });
});
