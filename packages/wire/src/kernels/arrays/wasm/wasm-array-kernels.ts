import type { ArrayKernels } from "../array-kernels.js";
import { fillNulls } from "../fill-nulls.js";
import { ArrayEngine } from "./array-engine.js";
import { cooWith } from "./coo-windows.js";
import { gatherWith } from "./gather-windows.js";
import { padWith } from "./pad-windows.js";
import { varintsWith } from "./varint-windows.js";

/**
 * The kernels over arrays in WebAssembly; where the twin in TypeScript takes no longer (docs/adr/0011-array-kernels.md),
 * that one is called.
 * @throws what the runtime throws that cannot compile or instantiate.
 */
export function createWasmArrayKernels(): ArrayKernels {
  const engine = new ArrayEngine();
  return {
    name: "wasm",
    cooIndices: cooWith(engine),
    padRows: padWith(engine),
    gatherRanges: gatherWith(engine),
    // Copying all and going to the nulls alone is as fast.
    fillNulls,
    encodeVarints: varintsWith(engine),
  };
}
