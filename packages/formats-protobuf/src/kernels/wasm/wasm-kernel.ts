import { compileWasm } from "@tfxio/wire/kernels";
import type { MessageKernel } from "../message-kernel.js";
import { createTypescriptDecoder } from "../typescript/typescript-kernel.js";
import { isCovered } from "./covered-plan.js";
import { KernelPool } from "./kernel-pool.js";
import { messageWasmBase64 } from "./message-wasm.js";
import { createPooledDecoder } from "./pooled-decoder.js";

/**
 * Creates the WebAssembly kernel that is embedded in this package. For plans that WebAssembly does not support, it creates
 * TypeScript decoders.
 * @throws the error of the runtime if it lacks WebAssembly or SIMD, or if the web page forbids compilation.
 */
export function createWasmKernel(): MessageKernel {
  const pool = new KernelPool(compileWasm(messageWasmBase64));
  return {
    name: "wasm",
    createDecoder: (plan) =>
      isCovered(plan) ? createPooledDecoder(pool, plan) : createTypescriptDecoder(plan),
  };
}
