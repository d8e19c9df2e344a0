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
   * @param windowBytes for tests of input that crosses window borders; see {@link Engine}.
   * @param createMemory for a module that imports its memory.
   */
  constructor(
    private readonly module: WasmModule,
    private readonly windowBytes: number = WINDOW_BYTES,
    private readonly createMemory?: () => WasmMemory,
  ) {}

  /** An engine for exclusive use, new or used before. Null if the runtime refuses to create one. */
  borrow(): Engine | null {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    try {
      return new Engine(this.module, this.windowBytes, this.createMemory?.());
    } catch {
      return null;
    }
  }

  /** Takes back an engine whose memory was leased. All views of that memory end here. */
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
