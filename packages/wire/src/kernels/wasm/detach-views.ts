import { freeBuffer } from "./free-buffer.js";
import type { WasmMemory } from "./web-assembly.js";

/** The part of Node's globals used here. */
interface NodeGlobals {
  readonly Buffer?: { allocUnsafeSlow?(size: number): Uint8Array<ArrayBuffer> };
  readonly MessageChannel?: unknown;
}

/** Detaching less memory than this starts no collection. */
const SMALLEST_WITH_BALLAST: number = 4 * 2 ** 20;

/**
 * Detaches all views of `memory` by growing it by nothing.
 *
 * V8 counts this as releasing and reallocating the whole memory. It starts a full collection once external memory has grown by 16
 * MB from its lowest point. Ballast of the same size, allocated before and freed after, keeps that point unchanged. Nothing
 * touches the ballast, so it occupies only address space. It was measured for Node in ADR 12; other runtimes do without it.
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
    // This is only an optimisation.
    return undefined;
  }
}
