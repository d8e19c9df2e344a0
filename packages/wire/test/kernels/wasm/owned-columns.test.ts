import { afterEach, describe, expect, jest, test } from "@jest/globals";
import {
  type ColumnBuffers,
  type FeatureListBuffers,
  KernelStatus,
  type SequenceExampleBatch,
} from "../../../src/kernels/index.js";
import { createWasmKernels } from "../../../src/kernels/wasm/wasm-kernels.js";
import { frame } from "../frames.js";
import { field, type WireField, writeFields } from "./wire-tree.js";

const unlimited = { maxRows: Infinity, maxBytes: Infinity };
const framing = { verifyPayload: true, maxRecordBytes: 2 ** 30 };

type Named = readonly [name: string, value: WireField[]];
const entry = ([name, value]: Named): WireField =>
  field(1, [field(1, [...new TextEncoder().encode(name)]), field(2, value)]);
const record = (context: readonly Named[], lists: readonly Named[]): Uint8Array =>
  frame(writeFields([field(1, context.map(entry)), field(2, lists.map(entry))]));

/** Records with nulls, empty rows, empty lists, empty byte strings, and arrays whose sizes are not multiples of 64 bytes. */
const records = Buffer.concat([
  record(
    [
      ["b", [field(1, [field(1, [1, 2, 3]), field(1, [])])]],
      ["f", [field(2, [field(1, [0, 0, 128, 63])])]],
      ["e", [field(1, [])]],
    ],
    [["l", [field(1, [field(1, [field(1, [7])])]), field(1, [])]]],
  ),
  record([["i", [field(3, [field(1, [7, 8])])]]], [["m", []]]),
  record([], []),
]);

/** Decodes `records` with a new kernel. */
function decoded(): SequenceExampleBatch {
  const kernel = createWasmKernels().sequenceExampleDecoder({ keepRawRecords: true, featureLists: {} });
  const { status, numRecords } = kernel.pushTfRecords(records, 0, records.length, unlimited, framing);
  expect([status, numRecords]).toEqual([KernelStatus.ok, 3]);
  return kernel.finish();
}

/** Returns every view of a batch as bytes, except the empty views of columns without a kind. */
function viewsOf({ columns, featureLists = [], rawRecords }: SequenceExampleBatch): Uint8Array[] {
  const ofColumn = ({ kind, validity, offsets, values, valueOffsets }: ColumnBuffers) =>
    kind === 0 ? [] : [validity, offsets, values, valueOffsets];
  const ofList = ({ validity, offsets, steps }: FeatureListBuffers) => [
    validity,
    offsets,
    ...ofColumn(steps),
  ];
  return [...columns.flatMap(ofColumn), ...featureLists.flatMap(ofList), ...Object.values(rawRecords ?? {})]
    .filter((view) => view !== undefined)
    .map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
}

/** Returns the only buffer of a batch. */
function bufferOf(batch: SequenceExampleBatch): ArrayBuffer {
  const buffers = new Set(viewsOf(batch).map(({ buffer }) => buffer));
  expect(buffers.size).toBe(1);
  return [...buffers][0] as ArrayBuffer;
}

describe("the buffer of a finished batch", () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test("contains nothing that its memory held before", () => {
    const allocate = jest
      .spyOn(Buffer, "allocUnsafeSlow")
      .mockImplementation((size) => Buffer.from(new ArrayBuffer(size)).fill(0xaa));
    const batch = decoded();
    expect(allocate).toHaveBeenCalledTimes(1);
    const views = viewsOf(batch);
    const unseen = new Uint8Array(bufferOf(batch).slice(0));
    for (const { byteOffset, byteLength } of views) unseen.fill(0, byteOffset, byteOffset + byteLength);
    expect(unseen).toEqual(new Uint8Array(unseen.length));
    expect(new Uint8Array(bufferOf(batch))).not.toContain(0xaa);
  });

  test("belongs to the batch alone, and all views begin at multiples of 64 bytes", () => {
    const batch = decoded();
    const buffer = bufferOf(batch);
    const ends = viewsOf(batch).map(({ byteOffset, byteLength }) => {
      expect(byteOffset % 64).toBe(0);
      return byteOffset + byteLength;
    });
    expect(buffer.byteLength).toBe(Math.ceil(Math.max(...ends) / 64) * 64);
    expect(bufferOf(decoded())).not.toBe(buffer);
  });

  test("is at most 1 MiB in size unless it holds a single larger array, and is padded with zeros", () => {
    const allocate = jest
      .spyOn(Buffer, "allocUnsafeSlow")
      .mockImplementation((size) => Buffer.from(new ArrayBuffer(size)).fill(0xaa));
    const sizes = [700_000, 600_000, 3_000_000, 300_000, 500_000];
    const texts = sizes.map((size, i) => new Uint8Array(size).fill(i + 1));
    const large = record(
      texts.map((text, i) => [`b${i}`, [field(1, [field(1, [...text])])]]),
      [],
    );
    const kernel = createWasmKernels().exampleDecoder({});
    expect(kernel.pushTfRecords(large, 0, large.length, unlimited, framing).status).toBe(KernelStatus.ok);
    const batch = kernel.finish();
    expect(batch.columns.map(({ values }) => values)).toEqual(texts);
    const buffers = [...new Set(viewsOf(batch).map(({ buffer }) => buffer as ArrayBuffer))];
    // The filter ignores a large block, which is allocated once per process and stays unused.
    const sizesAsked = allocate.mock.calls.map(([size]) => size).filter((size) => size < 2 ** 24);
    expect(sizesAsked).toHaveLength(buffers.length);
    const [alone = 0, ...shared] = buffers.map(({ byteLength }) => byteLength).sort((a, b) => b - a);
    expect(alone).toBe(Math.ceil(3_000_000 / 64) * 64);
    for (const byteLength of shared) expect(byteLength).toBeLessThanOrEqual(2 ** 20);
    for (const buffer of buffers) expect(new Uint8Array(buffer)).not.toContain(0xaa);
  });

  test("can be transferred", () => {
    const batch = decoded();
    const copy = structuredClone(batch);
    const buffer = bufferOf(batch);
    expect(structuredClone(batch, { transfer: [buffer] })).toEqual(copy);
    expect(buffer.byteLength).toBe(0);
  });

  test("has the same contents in a runtime that cannot allocate uninitialized memory", () => {
    const expected = decoded();
    const whole = Object.getOwnPropertyDescriptor(globalThis, "Buffer") as PropertyDescriptor;
    Object.defineProperty(globalThis, "Buffer", { value: undefined, configurable: true });
    try {
      const batch = decoded();
      expect(batch).toEqual(expected);
      expect(new Uint8Array(bufferOf(batch))).toEqual(new Uint8Array(bufferOf(expected)));
    } finally {
      Object.defineProperty(globalThis, "Buffer", whole);
    }
  });
});
