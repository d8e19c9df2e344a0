import { describe, expect, test } from "@jest/globals";
import {
  type ExampleKernel,
  FeatureKind,
  KernelStatus,
  typescriptKernels,
} from "../../../src/kernels/index.js";
import type { KernelInstance } from "../../../src/kernels/wasm/kernel-instance.js";
import { InstancePool } from "../../../src/kernels/wasm/instance-pool.js";
import { createWasmKernels, wasmKernelsOf } from "../../../src/kernels/wasm/wasm-kernels.js";
import { compileKernels } from "../../../src/kernels/wasm/web-assembly.js";
import { frame } from "../frames.js";
import { field, varint, type WireField, writeFields } from "./wire-tree.js";

const unlimited = { maxRows: Infinity, maxBytes: Infinity };
const framing = { verifyPayload: true, maxRecordBytes: 2 ** 30 };
const example = (...entries: WireField[][]): Uint8Array =>
  writeFields([
    field(
      1,
      entries.map((entry) => field(1, entry)),
    ),
  ]);
const feature = (name: string, kind: number, values: WireField[] | number[]): WireField[] => [
  field(1, [...new TextEncoder().encode(name)]),
  field(2, [field(kind, values)]),
];

/** A pool that counts its borrowed instances. */
class CountingPool extends InstancePool {
  numOut = 0;
  readonly seen = new Set<KernelInstance>();

  constructor() {
    super(compileKernels());
  }

  override borrow(): KernelInstance | null {
    const instance = super.borrow();
    if (instance !== null) this.seen.add(instance);
    this.numOut++;
    return instance;
  }

  override giveBack(instance: KernelInstance): void {
    this.numOut--;
    super.giveBack(instance);
  }
}

class EmptyPool extends InstancePool {
  constructor() {
    super(compileKernels());
  }

  override borrow(): null {
    return null;
  }
}

/** A pool of instances that have no memory left when a batch is finished. */
class ExhaustedPool extends CountingPool {
  override borrow(): KernelInstance | null {
    const instance = super.borrow();
    if (instance === null) return null;
    return Object.defineProperty(instance, "exports", { value: { ...instance.exports, finish: () => -1 } });
  }
}

function pushFramed(kernel: ExampleKernel, bytes: Uint8Array): number {
  return kernel.pushTfRecords(bytes, 0, bytes.length, unlimited, framing).status;
}

describe("WebAssembly instances", () => {
  const good = frame(example(feature("i", 3, [field(1, varint(7))])));

  test("are borrowed while a batch is unfinished, and shared by decoders that take turns", () => {
    const pool = new CountingPool();
    const decoders = Array.from({ length: 20 }, () => wasmKernelsOf(pool).exampleDecoder({}));
    for (const decoder of decoders) {
      expect(pushFramed(decoder, good)).toBe(KernelStatus.ok);
      expect(pool.numOut).toBe(1);
      expect(decoder.finish().columns[0]?.values).toEqual(BigInt64Array.of(7n));
      expect(pool.numOut).toBe(0);
    }
    expect(pool.seen.size).toBe(1);
  });

  test("keep batches of several decoders apart", () => {
    const pool = new CountingPool();
    const decoders = Array.from({ length: 3 }, () => wasmKernelsOf(pool).exampleDecoder({}));
    for (const [i, decoder] of decoders.entries()) {
      pushFramed(decoder, frame(example(feature(`i${i}`, 3, [field(1, varint(i))]))));
    }
    expect(pool.seen.size).toBe(3);
    for (const [i, decoder] of decoders.entries()) {
      expect(decoder.finish().columns).toMatchObject([
        { name: `i${i}`, values: BigInt64Array.of(BigInt(i)) },
      ]);
    }
  });

  test("are returned after an error and after a reset", () => {
    const pool = new CountingPool();
    const decoder = wasmKernelsOf(pool).exampleDecoder({});
    expect(pushFramed(decoder, frame(Uint8Array.of(0x0a)))).toBe(KernelStatus.malformedPayload);
    expect(pool.numOut).toBe(0);
    pushFramed(decoder, good);
    decoder.reset();
    expect([pool.numOut, decoder.numRows]).toEqual([0, 0]);
    expect(pushFramed(decoder, good)).toBe(KernelStatus.ok);
    expect(decoder.finish().numRows).toBe(1);
  });

  test("are reused without growing after a short batch, such as the last batch of a file", () => {
    const pool = new CountingPool();
    const decoder = wasmKernelsOf(pool).exampleDecoder({});
    // Each row has 2 KiB of values, and a full batch 8 MiB. Without size hints from earlier batches, the column would grow
    // several times in each batch.
    const row = frame(
      example(
        feature("x", 2, [
          field(
            1,
            Array.from({ length: 2048 }, () => 1),
          ),
        ]),
      ),
    );
    const rows = new Uint8Array(row.length * 4096);
    for (let i = 0; i < 4096; i++) rows.set(row, i * row.length);
    const memory = [4096, 1772, 4096, 1772, 4096].map((numRows) => {
      expect(pushFramed(decoder, rows.subarray(0, numRows * row.length))).toBe(KernelStatus.ok);
      expect(decoder.finish().numRows).toBe(numRows);
      return [...pool.seen][0]?.bytes.length;
    });
    expect(pool.seen.size).toBe(1);
    // The first batch had no hints and grew. Later batches need not grow.
    expect(new Set(memory.slice(1)).size).toBe(1);
  });

  test("are needed for a batch with records, but not for an empty batch or a checksum", () => {
    const kernels = wasmKernelsOf(new EmptyPool());
    const plan = { columns: [{ name: "b", kind: FeatureKind.bytes }], keepRawRecords: true };
    const decoder = kernels.exampleDecoder(plan);
    expect(pushFramed(decoder, good)).toBe(KernelStatus.batchTooLarge);
    expect(decoder.pushRecords(good, Uint32Array.of(12), Uint32Array.of(14), 0, 1, unlimited)).toEqual({
      status: KernelStatus.batchTooLarge,
      consumed: 0,
      numRecords: 0,
      isFull: false,
      errorOffset: 12,
    });
    expect(decoder.finish()).toEqual(typescriptKernels.exampleDecoder(plan).finish());
    const bytes = new Uint8Array(1000).fill(1);
    expect(kernels.crc32c(bytes)).toBe(typescriptKernels.crc32c(bytes));
  });
});

test("a batch is dropped with a RangeError if there is not enough memory to finish it", () => {
  const pool = new ExhaustedPool();
  const decoder = wasmKernelsOf(pool).exampleDecoder({});
  pushFramed(decoder, frame(example(feature("i", 3, [field(1, varint(7))]))));
  expect(() => decoder.finish()).toThrow(RangeError);
  expect([pool.numOut, decoder.numRows]).toEqual([0, 0]);
});

test("records larger than the input window of a kernel are decoded among small records", () => {
  const texts = [10, 300_000, 20, 3_000_000, 5, 700_000].map((length, i) =>
    new Uint8Array(length).fill(i + 1),
  );
  const records = texts.map((text) => example(feature("b", 1, [field(1, [...text])])));
  const file = new Uint8Array(Buffer.concat(records.map((record) => frame(record))));
  const decoder = createWasmKernels().exampleDecoder({ keepRawRecords: true });
  expect(pushFramed(decoder, file)).toBe(KernelStatus.ok);
  const { numRows, columns, rawRecords } = decoder.finish();
  expect(numRows).toBe(6);
  expect(Buffer.compare(columns[0]?.values as Uint8Array, Buffer.concat(texts))).toBe(0);
  expect(Buffer.compare(rawRecords!.values, Buffer.concat(records))).toBe(0);
});

test("arrays of a batch are 64-byte aligned in a buffer that the batch owns", () => {
  const kernels = createWasmKernels();
  const decoder = kernels.exampleDecoder({});
  const push = (): unknown =>
    pushFramed(
      decoder,
      frame(example(feature("i", 3, [field(1, varint(1))]), feature("b", 1, [field(1, [1, 2, 3])]))),
    );
  push();
  const first = decoder.finish();
  const views = first.columns.flatMap(({ offsets, values, valueOffsets }) => [
    offsets,
    values,
    valueOffsets ?? values,
  ]);
  expect(new Set(views.map(({ buffer }) => buffer)).size).toBe(1);
  expect(views.every(({ byteOffset }) => byteOffset % 64 === 0)).toBe(true);
  const before = structuredClone(first);
  push();
  decoder.finish();
  expect(first).toEqual(before);
});

test("20,000 discovered columns are returned in order of their names, even if the names differ only in the middle", () => {
  const entries = Array.from({ length: 20_000 }, (_, i) =>
    feature(`same_start_${String(i).padStart(8, "0")}_same_end`, 3, []),
  );
  const decoder = createWasmKernels().exampleDecoder({});
  expect(pushFramed(decoder, frame(example(...entries)))).toBe(KernelStatus.ok);
  const names = decoder.finish().columns.map(({ name }) => name);
  expect(names).toEqual(names.toSorted());
  expect(names).toHaveLength(20_000);
});

describe("the memory of an instance", () => {
  const values = (count: number): Uint8Array =>
    frame(example(feature("f", 2, [field(1, [...new Uint8Array(count * 4)])])));

  test("is sized for the expected batch, so that less than a third of it is unused", () => {
    const pool = new CountingPool();
    const kernel = wasmKernelsOf(pool).exampleDecoder({});
    const record = values(500);
    const file = Buffer.concat(Array.from({ length: 1000 }, () => record));
    const limits = { maxRows: 4000, maxBytes: Infinity };
    for (let i = 0; i < 4; i++) kernel.pushTfRecords(file, 0, file.length, limits, framing);
    const [instance] = pool.seen;
    const batchBytes = kernel.numBytes;
    expect(batchBytes).toBeGreaterThan(8_000_000);
    expect(instance?.exports.bytesUsed()).toBeLessThan(1.5 * batchBytes);
    kernel.reset();
  });

  test("is kept for the first small batch after a large batch, and freed after the second", () => {
    const pool = new CountingPool();
    const decoder = wasmKernelsOf(pool).exampleDecoder({});
    const decode = (record: Uint8Array): void => {
      decoder.pushRecords(record, Uint32Array.of(0), Uint32Array.of(record.length), 0, 1, unlimited);
      expect(decoder.finish().numRows).toBe(1);
    };
    const small = example(feature("i", 3, [field(1, varint(7))]));
    const numBytes = 24 * 2 ** 20;
    const unknownField = Uint8Array.of(0x7a, ...varint(numBytes));
    const large = new Uint8Array(unknownField.length + numBytes);
    large.set(unknownField);
    for (const record of [large, small, large, small, small]) {
      decode(record);
      expect(pool.seen.size).toBe(1);
    }
    decode(small);
    expect(pool.seen.size).toBe(2);
  });
});
