import { expect, test } from "@jest/globals";
import type { ExampleKernel, Kernels, Leased } from "../../../src/kernels/index.js";
import { createSharedKernels } from "../../../src/kernels/wasm/shared-kernels.js";
import { createWasmKernels } from "../../../src/kernels/wasm/wasm-kernels.js";
import { compareDecoders } from "./compare-decoders.js";
import { Draw } from "./draw.js";

const NUM_RECORDS = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 7_500) / 15;

/** Returns a deep copy of an object, including its typed arrays. */
function copyOf<Value>(value: Value): Value {
  if (ArrayBuffer.isView(value)) {
    const Copy = value.constructor as new (view: unknown) => Value;
    return new Copy(value);
  }
  if (Array.isArray(value)) return value.map(copyOf) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOf(each)])) as Value;
}

/** Returns a kernel whose `finish` copies a leased batch while the next lease is open, and returns the copy. */
function leasing<Kernel extends ExampleKernel>(kernel: Kernel): Kernel {
  const lent = (): Leased<ReturnType<Kernel["finish"]>> =>
    kernel.finishLeased?.() as Leased<ReturnType<Kernel["finish"]>>;
  return {
    get numRows() {
      return kernel.numRows;
    },
    get numBytes() {
      return kernel.numBytes;
    },
    get numSkipped() {
      return kernel.numSkipped;
    },
    pushRecords: (...push: Parameters<ExampleKernel["pushRecords"]>) => kernel.pushRecords(...push),
    pushTfRecords: (...push: Parameters<ExampleKernel["pushTfRecords"]>) => kernel.pushTfRecords(...push),
    finish() {
      const { batch, release } = lent();
      const other = lent();
      const copy = copyOf(batch);
      release();
      other.release();
      return copy;
    },
    reset: () => kernel.reset(),
  } as unknown as Kernel;
}

test.each([
  ["one thread's memory", createWasmKernels],
  ["memory that threads share", createSharedKernels],
])("leases of %s have the same contents as batches of the TypeScript kernels", (_, create) => {
  const kernels = create();
  const leasingKernels: Kernels = {
    ...kernels,
    exampleDecoder: (plan) => leasing(kernels.exampleDecoder(plan)),
    sequenceExampleDecoder: (plan) => leasing(kernels.sequenceExampleDecoder(plan)),
  };
  expect(compareDecoders(leasingKernels, new Draw(15), NUM_RECORDS).difference).toBeNull();
});
