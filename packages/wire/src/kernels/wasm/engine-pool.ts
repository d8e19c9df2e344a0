import { Engine, WINDOW_BYTES } from "./engine.js";
import type { WasmMemory, WasmModule } from "./web-assembly.js";

/** Total memory that idle engines may keep: about three batches of the default size. */
const MAX_IDLE_BYTES: number = 128 * 2 ** 20;

/**
 * Engines for batches under construction. The pool keeps few, because each reserves gigabytes of address space. It reuses them,
 * because their memory has already been touched. An engine that is never returned is collected with its borrower.
 */
export class EnginePool {
  readonly #idle: Engine[] = [];

  /**
   * @param windowBytes See {@link Engine}. Tests use small windows, so that input crosses their borders.
   * @param createMemory Creates the memory for a module that imports it.
   */
  constructor(
    private readonly module: WasmModule,
    private readonly windowBytes: number = WINDOW_BYTES,
    private readonly createMemory?: () => WasmMemory,
  ) {}

  /** Returns a new or reused engine for exclusive use, or null if the runtime refuses to create one. */
  borrow(): Engine | null {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    try {
      return new Engine(this.module, this.windowBytes, this.createMemory?.());
    } catch {
      return null;
    }
  }

  /** Takes back an engine whose memory was leased, and detaches all views of that memory if possible. */
  endLease(engine: Engine): void {
    engine.detachViews();
    this.giveBack(engine);
  }

  /** Takes back an engine whose batch has ended. Keeps it if it is not too large. */
  giveBack(engine: Engine): void {
    if (!engine.isWorthKeeping()) return;
    const numBytes = this.#idle.reduce((total, { bytes }) => total + bytes.length, engine.bytes.length);
    if (numBytes <= MAX_IDLE_BYTES) this.#idle.push(engine);
  }
}
