import type { Engine } from "../../../src/kernels/wasm/engine.js";
import { EnginePool } from "../../../src/kernels/wasm/engine-pool.js";

const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Module: new (bytes: Uint8Array) => object };
};

/** Options of asc for kernels that put canary bytes around every block of memory. */
export const CANARIES: readonly string[] = ["--use", "TFXIO_CANARIES=1"];

/** A pool that checks the canaries of each returned instance. */
export class CheckedPool extends EnginePool {
  numBatches = 0;
  numDamaged = 0;

  constructor(wasm: Uint8Array, windowBytes: number) {
    super(new WebAssembly.Module(wasm), windowBytes);
  }

  override giveBack(engine: Engine): void {
    this.numBatches++;
    this.numDamaged += engine.exports.damage() > 0 ? 1 : 0;
    super.giveBack(engine);
  }
}
