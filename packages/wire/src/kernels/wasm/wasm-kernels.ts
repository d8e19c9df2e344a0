import { crc32c as crc32cInTypescript } from "../crc32c.js";
import type { Kernels } from "../kernels.js";
import { FrameBounds } from "../frame-bounds.js";
import { mostFrames, scanTfRecords as scanInTypescript } from "../tfrecord-frame.js";
import type { Engine } from "./engine.js";
import { EnginePool } from "./engine-pool.js";
import { scanFrames } from "./scan-frames.js";
import { WasmExampleKernel } from "./wasm-example-kernel.js";
import { compileKernels } from "./web-assembly.js";

/** Number of bytes below which a checksum in TypeScript is faster than a copy into wasm memory. */
const LEAST_BYTES = 64;

/**
 * Creates the kernels in WebAssembly. Throws the errors of {@link compileKernels}, and a RangeError if memory for an instance is
 * rejected.
 */
export function createWasmKernels(): Kernels {
  const pool = new EnginePool(compileKernels());
  const first = pool.borrow();
  if (first === null) throw new RangeError("memory for an instance cannot be allocated");
  pool.giveBack(first);
  return wasmKernelsOf(pool);
}

/** Creates kernels in WebAssembly that run on the engines of this pool. */
export function wasmKernelsOf(pool: EnginePool): Kernels {
  return {
    name: "wasm",
    crc32c: (bytes, start = 0, end = bytes.length) => {
      const engine = end - start < LEAST_BYTES ? null : pool.borrow();
      const crc = engine === null ? null : crcOf(engine, bytes, start, end);
      if (engine !== null) pool.giveBack(engine);
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
      // Without payload checksums a scan reads only the headers of records, so copying everything would be wasteful.
      const isShort = end - start < LEAST_BYTES || !options.verifyPayload;
      const engine = isShort ? null : pool.borrow();
      const result =
        engine === null ? null : scanFrames(engine, bytes, start, end, maxRecords, options, bounds);
      if (engine !== null) pool.giveBack(engine);
      return result ?? scanInTypescript(bytes, start, end, maxRecords, options, bounds);
    },
    exampleDecoder: (plan) => new WasmExampleKernel(pool, plan, null),
    sequenceExampleDecoder: (plan) => new WasmExampleKernel(pool, plan, plan.featureLists),
  };
}

/** Returns the CRC-32C, or null if memory for the input cannot be allocated. */
function crcOf(engine: Engine, bytes: Uint8Array, start: number, end: number): number | null {
  let crc = 0;
  for (let p = start; p < end; p += engine.windowBytes) {
    const windowEnd = Math.min(p + engine.windowBytes, end);
    if (engine.load(bytes, p, windowEnd) === 0) return null;
    crc = engine.exports.crcOfInput(windowEnd - p, crc) >>> 0;
  }
  return crc;
}
