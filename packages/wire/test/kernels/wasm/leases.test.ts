import { describe, expect, test } from "@jest/globals";
import {
  type ColumnBuffers,
  type ExampleBatch,
  type ExampleKernel,
  KernelStatus,
  kernels,
  type Leased,
  sharedKernels,
} from "../../../src/kernels/index.js";
import type { KernelInstance } from "../../../src/kernels/wasm/kernel-instance.js";
import { InstancePool } from "../../../src/kernels/wasm/instance-pool.js";
import { createSharedKernels } from "../../../src/kernels/wasm/shared-kernels.js";
import { createWasmKernels, wasmKernelsOf } from "../../../src/kernels/wasm/wasm-kernels.js";
import { compileKernels } from "../../../src/kernels/wasm/web-assembly.js";
import { frame } from "../frames.js";
import { field, varint, type WireField, writeFields } from "./wire-tree.js";

const unlimited = { maxRows: Infinity, maxBytes: Infinity };
const framing = { verifyPayload: true, maxRecordBytes: 2 ** 30 };

/** A pool that records which instances are borrowed now (`out`), and which were ever borrowed (`seen`). */
class WatchedPool extends InstancePool {
  readonly out = new Set<KernelInstance>();
  readonly seen = new Set<KernelInstance>();

  constructor() {
    super(compileKernels());
  }

  override borrow(): KernelInstance | null {
    const instance = super.borrow() as KernelInstance;
    this.out.add(instance);
    this.seen.add(instance);
    return instance;
  }

  override giveBack(instance: KernelInstance): void {
    expect(this.out.delete(instance)).toBe(true);
    super.giveBack(instance);
  }
}

function example(
  features: Readonly<Record<string, readonly [kind: number, WireField[] | number[]]>>,
): Uint8Array {
  const entries = Object.entries(features).map(([name, [kind, values]]) =>
    field(1, [field(1, [...new TextEncoder().encode(name)]), field(2, [field(kind, values)])]),
  );
  return frame(writeFields([field(1, entries)]));
}

const integer = (value: number): Uint8Array => example({ i: [3, [field(1, varint(value))]] });

function push(kernel: ExampleKernel, bytes: Uint8Array): void {
  expect(kernel.pushTfRecords(bytes, 0, bytes.length, unlimited, framing).status).toBe(KernelStatus.ok);
}

function lease(kernel: ExampleKernel, bytes: Uint8Array): Leased<ExampleBatch> {
  push(kernel, bytes);
  return kernel.finishLeased?.() as Leased<ExampleBatch>;
}

const viewsOf = ({ columns, rawRecords }: ExampleBatch): ArrayBufferView[] => {
  const views = ({
    validity,
    offsets,
    values,
    valueOffsets,
  }: ColumnBuffers): (ArrayBufferView | undefined)[] => [validity, offsets, values, valueOffsets];
  return [...columns.flatMap(views), rawRecords?.values, rawRecords?.valueOffsets].filter(
    (view) => view !== undefined,
  );
};

describe("a leased batch", () => {
  const mixed = Buffer.concat([
    example({ b: [1, [field(1, [1, 2, 3]), field(1, [])]], f: [2, [field(1, [0, 0, 128, 63])]] }),
    example({ i: [3, [field(1, varint(7))]], none: [1, []] }),
  ]);

  test("has the contents of an owned batch, in the memory of its instance", () => {
    const pool = new WatchedPool();
    const kernel = wasmKernelsOf(pool).exampleDecoder({ keepRawRecords: true });
    push(kernel, mixed);
    const owned = kernel.finish();
    const { batch } = lease(kernel, mixed);
    expect(structuredClone(batch)).toEqual(structuredClone(owned));
    const [instance] = pool.out;
    expect(viewsOf(batch)).toHaveLength(viewsOf(owned).length);
    for (const { buffer, byteOffset } of viewsOf(batch)) {
      expect(buffer).toBe(instance?.exports.memory.buffer);
      expect(byteOffset % 64).toBe(0);
    }
  });

  test("stays unchanged while other batches are decoded, each in a separate instance", () => {
    const pool = new WatchedPool();
    const kernel = wasmKernelsOf(pool).exampleDecoder({});
    const leases = [1, 2, 3].map((value) => lease(kernel, integer(value)));
    push(kernel, integer(4));
    expect(kernel.finish().columns[0]?.values).toEqual(BigInt64Array.of(4n));
    expect(leases.map(({ batch }) => batch.columns[0]?.values)).toEqual([
      BigInt64Array.of(1n),
      BigInt64Array.of(2n),
      BigInt64Array.of(3n),
    ]);
    expect(pool.out.size).toBe(3);
  });

  test("has no elements after its release, and its memory serves the next batch", () => {
    const pool = new WatchedPool();
    const kernel = wasmKernelsOf(pool).exampleDecoder({ keepRawRecords: true });
    // The decoder knows the columns from the second batch on, so all later batches have the same layout.
    lease(kernel, mixed).release();
    const first = lease(kernel, mixed);
    const places = viewsOf(first.batch).map(({ byteOffset }) => byteOffset);
    first.release();
    expect(viewsOf(first.batch).map(({ byteLength }) => byteLength)).toEqual(places.map(() => 0));
    const second = lease(kernel, mixed);
    expect(pool.seen.size).toBe(1);
    expect(viewsOf(second.batch).map(({ byteOffset }) => byteOffset)).toEqual(places);
    first.release();
    expect([...pool.out]).toEqual([...pool.seen]);
    expect(second.batch.numRows).toBe(2);
    expect(second.batch.rawRecords?.values).toHaveLength(mixed.length - 32);
    second.release();
    expect(pool.out.size).toBe(0);
  });

  test("without rows needs no instance", () => {
    const pool = new WatchedPool();
    const kernel = wasmKernelsOf(pool).exampleDecoder({ columns: [{ name: "i", kind: 3 }] });
    const empty = kernel.finishLeased?.();
    expect(empty?.batch.numRows).toBe(0);
    expect(pool.seen.size).toBe(0);
    empty?.release();
  });

  test("stays valid if the next record is malformed, and its decoder remains usable", () => {
    const pool = new WatchedPool();
    const kernel = wasmKernelsOf(pool).exampleDecoder({});
    const held = lease(kernel, integer(1));
    const bad = frame(Uint8Array.of(0xff));
    expect(kernel.pushTfRecords(bad, 0, bad.length, unlimited, framing).status).not.toBe(KernelStatus.ok);
    expect(held.batch.columns[0]?.values).toEqual(BigInt64Array.of(1n));
    expect(pool.out.size).toBe(1);
    expect(lease(kernel, integer(2)).batch.columns[0]?.values).toEqual(BigInt64Array.of(2n));
  });
});

test("the first bytes of an instance's memory stay zero, because columns without values point there", () => {
  const pool = new WatchedPool();
  const kernel = wasmKernelsOf(pool).exampleDecoder({});
  const { batch } = lease(kernel, example({ none: [1, []] }));
  expect(batch.columns[0]).toMatchObject({ valueOffsets: Int32Array.of(0), values: new Uint8Array(0) });
  const [instance] = pool.out;
  expect(instance?.bytes.subarray(0, 8)).toEqual(new Uint8Array(8));
});

describe("kernels that use shared memory", () => {
  test("are separate from the kernels that use unshared memory, unless both are in TypeScript", async () => {
    const { name } = await sharedKernels();
    expect(name).toBe(kernels().name);
    expect((await sharedKernels()) === kernels()).toBe(name === "typescript");
  });

  test("lend batches that other threads can read and that equal owned batches", () => {
    const shared = createSharedKernels().exampleDecoder({ keepRawRecords: true });
    const plain = createWasmKernels().exampleDecoder({ keepRawRecords: true });
    const records = Buffer.concat(Array.from({ length: 3000 }, (_, i) => integer(i)));
    push(plain, records);
    const expected = plain.finish();
    const { batch, release } = lease(shared, records);
    for (const { buffer } of viewsOf(batch))
      expect(Object.prototype.toString.call(buffer)).toBe("[object SharedArrayBuffer]");
    expect(copyOf(batch)).toEqual(copyOf(expected));
    // The next batch is decoded in another instance, whose memory must grow.
    const large = Buffer.concat(
      Array.from({ length: 300 }, () => example({ b: [1, [field(1, [...new Uint8Array(20_000).fill(7)])]] })),
    );
    push(shared, large);
    push(plain, large);
    expect(copyOf(shared.finish())).toEqual(copyOf(plain.finish()));
    expect(copyOf(batch)).toEqual(copyOf(expected));
    release();
    // Views of shared memory cannot be detached, so they keep their lengths after the release.
    expect(batch.columns[0]?.values).toHaveLength(3000);
  });
});

/**
 * Returns a copy of a batch with each array as a string of its bytes, so that arrays in shared and unshared memory compare equal.
 */
function copyOf({ columns, ...rest }: ExampleBatch): unknown {
  const plain = (view: ArrayBufferView | undefined): unknown =>
    view && Buffer.from(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength).toString("latin1");
  const copies = columns.map(({ name, kind, nullCount, validity, offsets, values, valueOffsets }) => [
    name,
    kind,
    nullCount,
    ...[validity, offsets, values, valueOffsets].map(plain),
  ]);
  return {
    ...rest,
    columns: copies,
    rawRecords: [rest.rawRecords?.values, rest.rawRecords?.valueOffsets].map(plain),
  };
}
