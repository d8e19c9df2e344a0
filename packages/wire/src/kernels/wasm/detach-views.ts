import { freeBuffer } from "./free-buffer.js";
import type { WasmMemory } from "./web-assembly.js";

/** The part of Node's globals used here. */
interface NodeGlobals {
  readonly Buffer?: { allocUnsafeSlow?(size: number): Uint8Array<ArrayBuffer> };
  readonly MessageChannel?: unknown;
}

/** Size in bytes below which memory needs no ballast (see {@link detachViews}): detaching its views starts no collection. */
const SMALLEST_WITH_BALLAST: number = 4 * 2 ** 20;

/**
 * Detaches all views of `memory` by growing it by 0 pages.
 *
 * V8 counts this as releasing and reallocating the whole memory. It starts a full collection once external memory has grown by 16
 * MB from its lowest point. To avoid that collection, this function first allocates ballast, a buffer as large as the memory, and
 * frees it after the growth. External memory then reaches no new lowest point. Nothing touches the ballast, so it occupies only
 * address space. ADR 12 measures this for Node. Runtimes without Node's `Buffer` get no ballast.
 */
export function detachViews(memory: WasmMemory): void {
  const ballast = allocateBallast(memory.buffer.byteLength);
  memory.grow(0);
  if (ballast !== undefined) freeBuffer(ballast);
}

function allocateBallast(size: number): ArrayBuffer | undefined {
  const { Buffer, MessageChannel } = globalThis as NodeGlobals;
  if (size < SMALLEST_WITH_BALLAST || MessageChannel === undefined) return undefined;
  try {
    return Buffer?.allocUnsafeSlow?.(size).buffer;
  } catch {
    // Without memory for the ballast, only an optimization is lost.
    return undefined;
  }
}
