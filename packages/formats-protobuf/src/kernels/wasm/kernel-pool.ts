import { instantiate, type WasmModule } from "@tfxio/wire/kernels";
import { MAX_BATCH_BYTES } from "../memory-budget.js";
import type { DecoderPlan } from "../typescript/message-decoder.js";
import type { KernelExports } from "./kernel-exports.js";
import { type LaidPlan, layPlan } from "./lay-plan.js";

/** An instance of the kernel, and the plan in its memory. */
export interface PlannedKernel {
  readonly kernel: KernelExports;
  readonly plan: DecoderPlan;
  readonly laid: LaidPlan;
}

/** Memory that idle instances may keep together: three batches of the default size, more or less. */
const MAX_IDLE_BYTES: number = 128 * 2 ** 20;

/**
 * Instances for whoever has a batch in the making: they are few, since each reserves gigabytes of address space, and memory
 * that was touched once is used again. An instance that is never given back goes with its borrower.
 */
export class KernelPool {
  readonly #module: WasmModule;
  readonly #memoryLimit: number;
  readonly #idle: PlannedKernel[] = [];

  /** @param memoryLimit Bytes that the columns of a batch may take; smaller ones are for tests. */
  constructor(module: WasmModule, memoryLimit: number = MAX_BATCH_BYTES) {
    this.#module = module;
    this.#memoryLimit = memoryLimit;
  }

  /** An instance with `plan` that nobody else has, or null when memory is refused. */
  borrow(plan: DecoderPlan): PlannedKernel | null {
    const own = this.#idle.findIndex((idle) => idle.plan === plan);
    const [idle] = this.#idle.splice(own, 1);
    if (idle?.plan === plan) return idle;
    try {
      const kernel = idle?.kernel ?? (instantiate(this.#module) as KernelExports);
      return { kernel, plan, laid: layPlan(kernel, plan, this.#memoryLimit) };
    } catch {
      // No address space is left for one more memory, or none for the columns.
      return null;
    }
  }

  /** Takes back an instance without rows; false when it holds too much memory for that. */
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
