import { compileWasm } from "@tfxio/wire/kernels";
import type { MessageKernel } from "../message-kernel.js";
import { createTypescriptDecoder } from "../typescript/typescript-kernel.js";
import { isCovered } from "./covered-plan.js";
import { KernelPool } from "./kernel-pool.js";
import { messageWasmBase64 } from "./message-wasm.js";
import { createPooledDecoder } from "./pooled-decoder.js";

/**
 * The kernel that this package carries, compiled. A decoder in TypeScript takes its place for plans that it does not cover.
 * @throws whatever the runtime throws that lacks WebAssembly or SIMD, or whose page forbids compiling.
 */
export function createWasmKernel(): MessageKernel {
  const pool = new KernelPool(compileWasm(messageWasmBase64));
  return {
    name: "wasm",
    createDecoder: (plan) =>
      isCovered(plan) ? createPooledDecoder(pool, plan) : createTypescriptDecoder(plan),
  };
}
