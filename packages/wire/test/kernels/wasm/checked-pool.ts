import type { KernelInstance } from "../../../src/kernels/wasm/kernel-instance.js";
import { InstancePool } from "../../../src/kernels/wasm/instance-pool.js";

const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Module: new (bytes: Uint8Array) => object };
};

/** Options of the AssemblyScript compiler for kernels that put canary bytes around every block of memory. */
export const CANARIES: readonly string[] = ["--use", "TFXIO_CANARIES=1"];

/** A pool that checks the canaries of each instance that is given back. */
export class CheckedPool extends InstancePool {
  numBatches = 0;
  numDamaged = 0;

  constructor(wasm: Uint8Array, windowBytes: number) {
    super(new WebAssembly.Module(wasm), windowBytes);
  }

  override giveBack(instance: KernelInstance): void {
    this.numBatches++;
    this.numDamaged += instance.exports.damage() > 0 ? 1 : 0;
    super.giveBack(instance);
  }
}
