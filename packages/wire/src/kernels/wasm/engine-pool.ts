import { Engine, WINDOW_BYTES } from "./engine.js";
import type { WasmMemory, WasmModule } from "./web-assembly.js";

/** Memory that idle engines may keep together: three batches of the default size, more or less. */
const MAX_IDLE_BYTES: number = 128 * 2 ** 20;

/**
 * Engines for whoever has a batch in the making: instances are few, since each reserves gigabytes of address space,
 * and memory that was touched once is used again. An engine that is never given back goes with its borrower.
 */
export class EnginePool {
  readonly #idle: Engine[] = [];

  /**
   * @param windowBytes for tests of what lies across pieces of input. @see {@link Engine}
   * @param createMemory for a module that imports its memory
   */
  constructor(
    private readonly module: WasmModule,
    private readonly windowBytes: number = WINDOW_BYTES,
    private readonly createMemory?: () => WasmMemory,
  ) {}

  /** An engine that nobody else has, or null when the runtime refuses one. What it was used for does not matter. */
  borrow(): Engine | null {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    try {
      return new Engine(this.module, this.windowBytes, this.createMemory?.());
    } catch {
      return null;
    }
  }

  /** Takes back an engine whose memory was lent as well: views of it end here. */
  endLease(engine: Engine): void {
    engine.detachViews();
    this.giveBack(engine);
  }

  giveBack(engine: Engine): void {
    if (!engine.isWorthKeeping()) return;
    const numBytes = this.#idle.reduce((total, { bytes }) => total + bytes.length, engine.bytes.length);
    if (numBytes <= MAX_IDLE_BYTES) this.#idle.push(engine);
  }
}
