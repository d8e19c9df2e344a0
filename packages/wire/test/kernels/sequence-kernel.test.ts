import { describe, expect, test } from "@jest/globals";
import { createSequenceExampleKernel } from "../../src/kernels/typescript/example-kernel.js";
import {
  FeatureKind,
  KernelStatus,
  type PushResult,
  type SequenceExampleBatch,
  type SequenceExampleKernel,
  type SequenceExamplePlan,
} from "../../src/kernels/index.js";
import { createWasmKernels } from "../../src/kernels/wasm/wasm-kernels.js";
import { frame } from "./frames.js";

const unlimited = { maxRows: Infinity, maxBytes: Infinity };
const ascii = (text: string): number[] => [...new TextEncoder().encode(text)];
const field = (number: number, payload: readonly number[]): number[] => [
  number * 8 + 2,
  ...(payload.length > 127 ? [(payload.length & 127) | 128, payload.length >> 7] : [payload.length]),
  ...payload,
];
const entry = (name: string, value: readonly number[]): number[] =>
  field(1, [...field(1, ascii(name)), ...field(2, value)]);
const list = (name: string, ...steps: readonly (readonly number[])[]): number[] =>
  entry(
    name,
    steps.flatMap((step) => field(1, step)),
  );
const context = (...entries: readonly (readonly number[])[]): number[] => field(1, entries.flat());
const lists = (...entries: readonly (readonly number[])[]): number[] => field(2, entries.flat());
const record = (...messages: readonly (readonly number[])[]): Uint8Array => Uint8Array.from(messages.flat());
const texts = (...values: readonly string[]): number[] =>
  field(
    1,
    values.flatMap((value) => field(1, ascii(value))),
  );
const ints = (...values: readonly number[]): number[] =>
  field(3, values.length === 0 ? [] : field(1, values));
const floats = (...values: readonly number[]): number[] =>
  field(2, field(1, [...new Uint8Array(Float32Array.from(values).buffer)]));

function push(kernel: SequenceExampleKernel, ...records: readonly Uint8Array[]): PushResult {
  const bytes = new Uint8Array(Buffer.concat(records));
  const ends = new Uint32Array(records.length);
  let end = 0;
  for (const [i, one] of records.entries()) ends[i] = end += one.length;
  const starts = Uint32Array.from(ends, (value, i) => value - records[i]!.length);
  return kernel.pushRecords(bytes, starts, ends, 0, records.length, unlimited);
}

const rows = [
  record(context(entry("i", ints(5))), lists(list("w", texts("x"), [], texts()), list("n", [], []))),
  record(lists(list("n"))),
  record(lists(list("i", ints(1, 2)), list("w"))),
];
const expected: SequenceExampleBatch = {
  numRows: 3,
  numSkipped: 0,
  columns: [
    {
      name: "i",
      kind: FeatureKind.int64,
      nullCount: 2,
      validity: Uint8Array.of(0b001),
      offsets: Int32Array.of(0, 1, 1, 1),
      values: BigInt64Array.of(5n),
    },
  ],
  featureLists: [
    {
      name: "i",
      nullCount: 2,
      validity: Uint8Array.of(0b100),
      offsets: Int32Array.of(0, 0, 0, 1),
      steps: {
        name: "i",
        kind: FeatureKind.int64,
        nullCount: 0,
        offsets: Int32Array.of(0, 2),
        values: BigInt64Array.of(1n, 2n),
      },
    },
    {
      name: "n",
      nullCount: 1,
      validity: Uint8Array.of(0b011),
      offsets: Int32Array.of(0, 2, 2, 2),
      steps: {
        name: "n",
        kind: FeatureKind.unset,
        nullCount: 2,
        offsets: new Int32Array(0),
        values: new Uint8Array(0),
      },
    },
    {
      name: "w",
      nullCount: 1,
      validity: Uint8Array.of(0b101),
      offsets: Int32Array.of(0, 3, 3, 3),
      steps: {
        name: "w",
        kind: FeatureKind.bytes,
        nullCount: 1,
        validity: Uint8Array.of(0b101),
        offsets: Int32Array.of(0, 1, 1, 1),
        values: Uint8Array.from(ascii("x")),
        valueOffsets: Int32Array.of(0, 1),
      },
    },
  ],
};

const implementations: readonly (readonly [string, (plan: SequenceExamplePlan) => SequenceExampleKernel])[] =
  [
    ["TypeScript", (plan) => createSequenceExampleKernel(plan)],
    [
      "TypeScript with all entries on the strict path",
      (plan) => createSequenceExampleKernel(plan, { isStrict: true }),
    ],
    ["WebAssembly", (plan) => createWasmKernels().sequenceExampleDecoder(plan)],
  ];

describe.each(implementations)("sequenceExampleDecoder in %s", (_name, createKernel) => {
  test("returns steps in Arrow layout for each batch", () => {
    const kernel = createKernel({ featureLists: {} });
    for (let i = 0; i < 3; i++) {
      expect(push(kernel, ...rows)).toMatchObject({ status: KernelStatus.ok, consumed: 3, numRecords: 3 });
      expect(kernel.finish()).toEqual(expected);
    }
    expect(kernel.finish()).toEqual({ numRows: 0, numSkipped: 0, columns: [] });
  });

  test("returns steps in Arrow layout for framed records too, and does not consume an incomplete record", () => {
    const kernel = createKernel({ featureLists: {} });
    const framed = { verifyPayload: true, maxRecordBytes: 1000 };
    const file = new Uint8Array(Buffer.concat(rows.map((row) => frame(row))));
    const cut = kernel.pushTfRecords(file, 0, file.length - 1, unlimited, framed);
    expect(cut).toMatchObject({ status: KernelStatus.ok, numRecords: 2, isFull: false });
    expect(kernel.pushTfRecords(file, cut.consumed, file.length, unlimited, framed).numRecords).toBe(1);
    expect(kernel.finish()).toEqual(expected);
  });

  test("returns buffers for exactly the planned lists, even without rows", () => {
    const kernel = createKernel({
      columns: [],
      featureLists: { columns: [{ name: "w", kind: FeatureKind.bytes }] },
    });
    expect(kernel.finish().featureLists).toEqual([
      {
        name: "w",
        nullCount: 0,
        offsets: Int32Array.of(0),
        steps: {
          name: "w",
          kind: FeatureKind.bytes,
          nullCount: 0,
          offsets: Int32Array.of(0),
          values: new Uint8Array(0),
          valueOffsets: Int32Array.of(0),
        },
      },
    ]);
    push(kernel, ...rows);
    expect(kernel.finish().featureLists).toEqual([expected.featureLists![2]]);
  });

  test("returns featureLists only if a record that is not skipped has a feature_lists message", () => {
    const kernel = createKernel({ featureLists: {}, onMalformed: "skip" });
    push(kernel, record(lists()), record());
    expect(kernel.finish()).toEqual({ numRows: 2, numSkipped: 0, columns: [], featureLists: [] });
    push(kernel, record(), record(lists(), [0x0a]), record(lists(list("n", ints(1))), [0x0a]));
    expect(kernel.finish()).toEqual({ numRows: 1, numSkipped: 2, columns: [] });
  });

  test("uses the last of several lists with the same name, whatever the kinds of the earlier lists", () => {
    const kernel = createKernel({ featureLists: {} });
    push(
      kernel,
      record(lists(list("s", [], floats(1)), list("s", ints(1), floats(1)), list("s", [], ints(7), []))),
      record(lists(list("s", ints(8)))),
    );
    expect(kernel.finish().featureLists).toEqual([
      {
        name: "s",
        nullCount: 0,
        offsets: Int32Array.of(0, 3, 4),
        steps: {
          name: "s",
          kind: FeatureKind.int64,
          nullCount: 2,
          validity: Uint8Array.of(0b1010),
          offsets: Int32Array.of(0, 0, 1, 1, 2),
          values: BigInt64Array.of(7n, 8n),
        },
      },
    ]);
  });

  test("does not keep the kind of a replaced list whose first step has values", () => {
    const kernel = createKernel({ featureLists: {} });
    push(kernel, record(lists(list("s", ints(1), ints(2)), list("s", floats(0.5)))));
    expect(kernel.finish().featureLists![0]!.steps).toMatchObject({
      kind: FeatureKind.float,
      nullCount: 0,
      values: Float32Array.of(0.5),
    });
  });

  test("rejects a step that extends beyond its list", () => {
    const kernel = createKernel({ featureLists: {} });
    const step = field(1, ints(1, 2, 3));
    // The byte after the list is the tag of the next entry, and would complete the step.
    const cut = record(lists(entry("s", step.slice(0, -1)), list("t", ints(1))));
    push(kernel, record(lists(list("s", ints(1)))));
    expect(push(kernel, cut)).toMatchObject({ status: KernelStatus.malformedPayload });
  });

  test("reports a list of the wrong kind or an unlisted list, and can then decode the next batch", () => {
    const kernel = createKernel({
      columns: [],
      unlisted: "error",
      featureLists: { columns: [{ name: "s", kind: FeatureKind.int64 }], unlisted: "error" },
    });
    const good = record(lists(list("s", ints(1)), list("y", [], [])));
    expect(push(kernel, good, record(lists(list("s", [], floats(1)))))).toMatchObject({
      status: KernelStatus.wrongKind,
      numRecords: 1,
      errorOffset: good.length + 4,
      featureName: "s",
      expectedKind: FeatureKind.int64,
      actualKind: FeatureKind.float,
      isFeatureList: true,
    });
    expect(push(kernel, record(lists(list("y", [], ints()))))).toMatchObject({
      status: KernelStatus.unlistedFeature,
      featureName: "y",
      actualKind: FeatureKind.int64,
      isFeatureList: true,
    });
    expect(push(kernel, record(context(entry("s", ints(1)))))).not.toHaveProperty("isFeatureList");
    expect(push(kernel, good).status).toBe(KernelStatus.ok);
    expect(kernel.finish().featureLists?.[0]?.steps.values).toEqual(BigInt64Array.of(1n));
  });

  test("counts feature lists towards the column limit", () => {
    const kernel = createKernel({ featureLists: {}, maxColumns: 2 });
    expect(push(kernel, record(lists(list("s"), list("t")))).status).toBe(KernelStatus.ok);
    expect(kernel.finish().featureLists).toHaveLength(2);
    expect(push(kernel, record(lists(list("s"), list("t"), list("u")))).status).toBe(
      KernelStatus.tooManyColumns,
    );
  });

  test("counts offsets, bitmaps and values in numBytes, even the offsets of steps without values", () => {
    const kernel = createKernel({ featureLists: {} });
    push(kernel, record(lists(list("s", [], ints(1, 2), []))));
    // The offset of the row, the offsets of the three steps, and two int64 values.
    expect(kernel.numBytes).toBe(4 + 3 * 4 + 16);
    push(kernel, ...Array.from({ length: 15 }, () => record()));
    expect(kernel.numBytes).toBe(16 * 4 + 2 + 3 * 4 + 16);
  });

  test("returns correct bitmaps for many steps, even after skipped records and replaced lists", () => {
    const kernel = createKernel({ featureLists: {}, onMalformed: "skip" });
    const steps = (isNull: (i: number) => boolean): number[][] =>
      Array.from({ length: 15 }, (_, i) => (isNull(i) ? [] : ints(1)));
    const some = record(lists(list("s", ...steps(() => false))));
    const holes = record(lists(list("s", ...steps((i) => i % 3 === 0))), [0x0a]);
    for (let round = 0; round < 20; round++) push(kernel, some, holes);
    expect(kernel.finish().featureLists![0]!.steps).toMatchObject({ nullCount: 0, validity: undefined });
    const replaced = record(lists(list("s", ...steps((i) => i > 4)), list("s", ...steps((i) => i === 2))));
    for (let round = 0; round < 20; round++) push(kernel, some, replaced);
    const { nullCount, validity } = kernel.finish().featureLists![0]!.steps;
    expect(nullCount).toBe(20);
    for (let step = 0; step < 600; step++) {
      expect((validity![step >> 3]! & (1 << (step & 7))) !== 0).toBe(step % 30 !== 17);
    }
  });
});
