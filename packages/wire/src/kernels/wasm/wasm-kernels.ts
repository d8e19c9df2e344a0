import { crc32c as crc32cInTypescript } from "../crc32c.js";
import type { Kernels } from "../kernels.js";
import { FrameBounds } from "../frame-bounds.js";
import { mostFrames, scanTfRecords as scanInTypescript } from "../tfrecord-frame.js";
import type { KernelInstance } from "./kernel-instance.js";
import { InstancePool } from "./instance-pool.js";
import { scanFrames } from "./scan-frames.js";
import { WasmExampleKernel } from "./wasm-example-kernel.js";
import { compileKernels } from "./web-assembly.js";

/** Number of bytes below which checksums and scans run in TypeScript, because that is faster than a copy into wasm memory. */
const LEAST_BYTES = 64;

/**
 * Creates the kernels in WebAssembly. Throws the errors of {@link compileKernels}, and a RangeError if memory for an instance
 * cannot be allocated.
 */
export function createWasmKernels(): Kernels {
  const pool = new InstancePool(compileKernels());
  const first = pool.borrow();
  if (first === null) throw new RangeError("memory for an instance cannot be allocated");
  pool.giveBack(first);
  return wasmKernelsOf(pool);
}

/** Creates kernels in WebAssembly that run on the instances of this pool. */
export function wasmKernelsOf(pool: InstancePool): Kernels {
  return {
    name: "wasm",
    crc32c: (bytes, start = 0, end = bytes.length) => {
      const instance = end - start < LEAST_BYTES ? null : pool.borrow();
      const crc = instance === null ? null : crcOf(instance, bytes, start, end);
      if (instance !== null) pool.giveBack(instance);
      return crc ?? crc32cInTypescript(bytes, start, end);
    },
    scanTfRecords: (
      bytes,
      start,
      end,
      maxRecords,
      options,
      bounds = new FrameBounds(Math.min(maxRecords, mostFrames(end - start))),
    ) => {
      // Without payload checksums, a scan reads only the headers of records, so copying everything would be wasteful.
      const isShort = end - start < LEAST_BYTES || !options.verifyPayload;
      const instance = isShort ? null : pool.borrow();
      const result =
        instance === null ? null : scanFrames(instance, bytes, start, end, maxRecords, options, bounds);
      if (instance !== null) pool.giveBack(instance);
      return result ?? scanInTypescript(bytes, start, end, maxRecords, options, bounds);
    },
    exampleDecoder: (plan) => new WasmExampleKernel(pool, plan, null),
    sequenceExampleDecoder: (plan) => new WasmExampleKernel(pool, plan, plan.featureLists),
  };
}

/** Returns the CRC-32C, or null if memory for the input cannot be allocated. */
function crcOf(instance: KernelInstance, bytes: Uint8Array, start: number, end: number): number | null {
  let crc = 0;
  for (let p = start; p < end; p += instance.windowBytes) {
    const windowEnd = Math.min(p + instance.windowBytes, end);
    if (instance.load(bytes, p, windowEnd) === 0) return null;
    crc = instance.exports.crcOfInput(windowEnd - p, crc) >>> 0;
  }
  return crc;
}
