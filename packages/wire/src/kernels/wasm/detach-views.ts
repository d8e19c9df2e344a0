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
 * V8 takes that for a release and a new allocation of the whole memory, and starts a full collection when external memory
 * has grown by 16 MB from its lowest point. Ballast of the same size keeps that point where it was: it is allocated before
 * and freed after. Nothing touches it, so it occupies address space only. Measured in ADR 12, for Node; other runtimes go without.
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
