import { describe, expect, test } from "@jest/globals";
import { createSequenceExampleKernel } from "../../src/kernels/typescript/example-kernel.js";
import type { FeatureListColumn } from "../../src/kernels/typescript/feature-list-column.js";
import { FeatureKind, KernelStatus, type SequenceExampleKernel } from "../../src/kernels/index.js";
import { ColumnRecord } from "../../src/kernels/wasm/column-record.js";
import type { KernelInstance } from "../../src/kernels/wasm/kernel-instance.js";
import { InstancePool } from "../../src/kernels/wasm/instance-pool.js";
import { wasmKernelsOf } from "../../src/kernels/wasm/wasm-kernels.js";
import { compileKernels } from "../../src/kernels/wasm/web-assembly.js";

const unlimited = { maxRows: Infinity, maxBytes: Infinity };
const plan = { columns: [], featureLists: { columns: [{ name: "a", kind: FeatureKind.int64 }] } };
const MOST_STEPS = 2 ** 30 - 2 ** 16;

/**
 * Returns a record `feature_lists { feature_list { key: "a" value { feature { } … } } }`. With `isOdd`, the key follows the
 * value.
 */
function recordOf(numSteps: number, isOdd: boolean): Uint8Array {
  const key = [0x0a, 1, 0x61];
  const steps = Array.from({ length: numSteps }, () => [0x0a, 0]).flat();
  const value = [0x12, steps.length, ...steps];
  const entry = isOdd ? [...value, ...key] : [...key, ...value];
  return Uint8Array.of(0x12, entry.length + 2, 0x0a, entry.length, ...entry);
}

const pushOne = (kernel: SequenceExampleKernel, record: Uint8Array): KernelStatus =>
  kernel.pushRecords(record, Uint32Array.of(0), Uint32Array.of(record.length), 0, 1, unlimited).status;

interface KernelUnderTest {
  readonly kernel: SequenceExampleKernel;
  /** Sets the number of steps of the only row, because pushing the steps would take half a minute. */
  pretend(this: void, numSteps: number): void;
}

function typescriptKernel(): KernelUnderTest {
  const kernel = createSequenceExampleKernel(plan);
  return {
    kernel,
    pretend(numSteps) {
      const { decoder } = kernel as unknown as {
        readonly decoder: { readonly lists: { readonly table: { readonly columns: unknown[] } } };
      };
      const column = decoder.lists.table.columns[0] as FeatureListColumn;
      column.row = 0;
      column.numValues = numSteps;
      column.commit();
    },
  };
}

function wasmKernel(): KernelUnderTest {
  let instance: KernelInstance | null = null;
  class KnownPool extends InstancePool {
    override borrow(): KernelInstance | null {
      instance = super.borrow();
      return instance;
    }
  }
  const kernel = wasmKernelsOf(new KnownPool(compileKernels())).sequenceExampleDecoder(plan);
  return {
    kernel,
    pretend(numSteps) {
      const { words } = instance as unknown as KernelInstance;
      // Columns start at multiples of 64 bytes, or 16 words. Each column begins with its name, here "a".
      for (let at = 16; at < words.length; at += 16) {
        if (words[at] !== 0x61 || words[at + 4] !== 0x8000_0001) continue;
        const record = new ColumnRecord(instance as unknown as KernelInstance, at * 4);
        expect(record.numValues).toBe(1);
        words[at + 10] = numSteps;
        words[record.offsets / 4 + 1] = numSteps;
        return;
      }
      throw new Error('no column is named "a"');
    },
  };
}

describe.each([
  ["typescript", typescriptKernel],
  ["wasm", wasmKernel],
])("the %s kernel", (_, create) => {
  test.each([
    ["before", false],
    ["after", true],
  ])(
    "accepts 2^30 - 2^16 steps per batch, rejects one more step, and starts a new batch (key %s the steps)",
    (_name, isOdd) => {
      const { kernel, pretend } = create();
      expect(pushOne(kernel, recordOf(1, false))).toBe(KernelStatus.ok);
      pretend(MOST_STEPS - 5);
      expect(pushOne(kernel, recordOf(5, isOdd))).toBe(KernelStatus.ok);
      expect(pushOne(kernel, recordOf(1, isOdd))).toBe(KernelStatus.batchTooLarge);
      expect(kernel.numRows).toBe(0);
      expect(pushOne(kernel, recordOf(3, isOdd))).toBe(KernelStatus.ok);
      expect(pushOne(kernel, recordOf(2, isOdd))).toBe(KernelStatus.ok);
      expect(Array.from(kernel.finish().featureLists?.[0]?.offsets ?? [])).toEqual([0, 3, 5]);
    },
  );
});
