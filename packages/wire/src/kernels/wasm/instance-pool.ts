import { KernelInstance, WINDOW_BYTES } from "./kernel-instance.js";
import type { WasmMemory, WasmModule } from "./web-assembly.js";

/** Maximum total memory of idle instances in bytes: about three batches of the default size. */
const MAX_IDLE_BYTES: number = 128 * 2 ** 20;

/**
 * Instances for batches, scans and checksums. The pool reuses idle instances, because their memory has already been touched. It
 * limits the total memory of idle instances. An instance that is never returned is garbage-collected with its borrower.
 */
export class InstancePool {
  readonly #idle: KernelInstance[] = [];

  /**
   * @param windowBytes See {@link KernelInstance}. Tests use small windows, so that input crosses their borders.
   * @param createMemory Creates the memory for a module that imports it.
   */
  constructor(
    private readonly module: WasmModule,
    private readonly windowBytes: number = WINDOW_BYTES,
    private readonly createMemory?: () => WasmMemory,
  ) {}

  /** Returns a new or reused instance for exclusive use, or null if the runtime cannot create one. */
  borrow(): KernelInstance | null {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    try {
      return new KernelInstance(this.module, this.windowBytes, this.createMemory?.());
    } catch {
      return null;
    }
  }

  /** Takes back an instance whose memory was leased, and detaches all views of that memory if possible. */
  endLease(instance: KernelInstance): void {
    instance.detachViews();
    this.giveBack(instance);
  }

  /** Takes back an instance that is no longer in use. Keeps it unless its memory, or that of all idle instances, is too large. */
  giveBack(instance: KernelInstance): void {
    if (!instance.isWorthKeeping()) return;
    const numBytes = this.#idle.reduce((total, { bytes }) => total + bytes.length, instance.bytes.length);
    if (numBytes <= MAX_IDLE_BYTES) this.#idle.push(instance);
  }
}
