import { instantiate, type WasmModule } from "@tfxio/wire/kernels";
import { MAX_BATCH_BYTES } from "../memory-budget.js";
import type { RecordsDecoder } from "../message-kernel.js";
import type { DecoderPlan } from "../typescript/message-decoder.js";
import type { KernelExports } from "./kernel-exports.js";
import { layPlan } from "./lay-plan.js";
import { createWasmDecoder } from "./wasm-decoder.js";

/** An instance of the kernel with a plan in its memory, and the decoder of this plan. */
export interface PlannedKernel {
  readonly kernel: KernelExports;
  readonly plan: DecoderPlan;
  readonly decoder: RecordsDecoder;
}

/** Maximum total memory of the idle instances in bytes. */
const MAX_IDLE_BYTES: number = 128 * 2 ** 20;

/**
 * A pool of instances, each borrowed for one unfinished batch. Each instance reserves gigabytes of address space, so
 * instances are shared to keep their number low. Sharing also reuses memory that has already been touched. An instance that is
 * never returned is freed together with its borrower.
 */
export class KernelPool {
  readonly #module: WasmModule;
  readonly #memoryLimit: number;
  readonly #idle: PlannedKernel[] = [];

  /** @param memoryLimit maximum bytes of the columns of a batch. Tests pass smaller limits. */
  constructor(module: WasmModule, memoryLimit: number = MAX_BATCH_BYTES) {
    this.#module = module;
    this.#memoryLimit = memoryLimit;
  }

  /**
   * Borrows an instance with `plan` for exclusive use. Prefers an instance that already holds the plan. Null if memory runs out.
   */
  borrow(plan: DecoderPlan): PlannedKernel | null {
    const own = this.#idle.findIndex((idle) => idle.plan === plan);
    const [idle] = this.#idle.splice(own, 1);
    if (idle?.plan === plan) return idle;
    try {
      const kernel = idle?.kernel ?? (instantiate(this.#module) as KernelExports);
      return { kernel, plan, decoder: createWasmDecoder(kernel, layPlan(kernel, plan, this.#memoryLimit)) };
    } catch {
      // No memory is left for another instance, for the plan or for the columns.
      return null;
    }
  }

  /**
   * Puts an instance back into the pool, and returns true. The instance must have no rows. If the idle instances would together
   * hold too much memory, returns false, and the caller keeps the instance.
   */
  giveBack(planned: PlannedKernel): boolean {
    const numBytes = this.#idle.reduce((sum, { kernel }) => sum + sizeOf(kernel), sizeOf(planned.kernel));
    if (numBytes > MAX_IDLE_BYTES) return false;
    this.#idle.push(planned);
    return true;
  }
}

function sizeOf({ memory }: KernelExports): number {
  return memory.buffer.byteLength;
}
