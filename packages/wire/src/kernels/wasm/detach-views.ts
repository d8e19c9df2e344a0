import { freeBuffer } from "./free-buffer.js";
import type { WasmMemory } from "./web-assembly.js";

/** The part of Node's globals used here. */
interface NodeGlobals {
  readonly Buffer?: { allocUnsafeSlow?(size: number): Uint8Array<ArrayBuffer> };
  readonly MessageChannel?: unknown;
}

/** Memory size in bytes below which no ballast is needed, because detaching the views starts no garbage collection. */
const SMALLEST_WITH_BALLAST: number = 4 * 2 ** 20;

/**
 * Detaches all views of `memory` by growing it by 0 pages.
 *
 * V8 counts this as releasing and reallocating the whole memory. It starts a full collection once external memory has grown by 16
 * MB from its lowest point. Ballast as large as the memory, allocated before the growth and freed after it, keeps that point
 * unchanged. Nothing touches the ballast, so it occupies only address space. ADR 12 measures this for Node. Runtimes without
 * Node's `Buffer` get no ballast.
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
