import { expect, test } from "@jest/globals";
import { type ExampleKernel, KernelStatus, typescriptKernels } from "../../src/kernels/index.js";

const unlimited = { maxRows: Infinity, maxBytes: Infinity };
/** More than the maximum number of arguments in a function call. */
const NUM_FEATURES = 150_000;

/** Returns a tf.Example with `numFeatures` features: `f0000000`, `f0000001` and so on, each with `int64_list { value: 5 }`. */
function exampleOf(numFeatures: number): Uint8Array {
  const entry = Uint8Array.of(0x0a, 17, 0x0a, 8, ...Buffer.from("f0000000"), 0x12, 5, 0x1a, 3, 0x0a, 1, 5);
  const size = numFeatures * entry.length;
  const head = [0x0a, (size & 127) | 128, ((size >> 7) & 127) | 128, ((size >> 14) & 127) | 128, size >> 21];
  const record = Buffer.alloc(head.length + size);
  record.set(head);
  for (let feature = 0, at = head.length; feature < numFeatures; feature++, at += entry.length) {
    record.set(entry, at);
    record.write(String(feature).padStart(7, "0"), at + 5, "latin1");
  }
  return record;
}

const push = (kernel: ExampleKernel, record: Uint8Array): KernelStatus =>
  kernel.pushRecords(record, Uint32Array.of(0), Uint32Array.of(record.length), 0, 1, unlimited).status;

test("the TypeScript kernel returns no column for a feature that only an earlier batch had, even among 150,000 features", () => {
  const kernel = typescriptKernels.exampleDecoder({ maxColumns: NUM_FEATURES });
  for (const numFeatures of [NUM_FEATURES, NUM_FEATURES - 1]) {
    expect(push(kernel, exampleOf(numFeatures))).toBe(KernelStatus.ok);
    const { columns } = kernel.finish();
    expect(columns).toHaveLength(numFeatures);
    expect(columns.at(-1)).toMatchObject({ name: `f0${numFeatures - 1}`, values: BigInt64Array.of(5n) });
  }
});
