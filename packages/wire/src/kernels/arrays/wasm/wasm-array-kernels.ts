import type { ArrayKernels } from "../array-kernels.js";
import { fillNulls } from "../fill-nulls.js";
import { compileWasm } from "../../wasm/web-assembly.js";
import { arrayWasmBase64 } from "./array-wasm.js";
import { ArrayEngine } from "./array-engine.js";
import { cooWith } from "./coo-windows.js";
import { gatherWith } from "./gather-windows.js";
import { padWith } from "./pad-windows.js";
import { varintsWith } from "./varint-windows.js";

/** The kernels over arrays in WebAssembly. @throws what the runtime throws that cannot compile or instantiate. */
export function createWasmArrayKernels(): ArrayKernels {
  return arrayKernelsOf(new ArrayEngine(compileWasm(arrayWasmBase64)));
}

/**
 * The kernels over arrays on this engine; where the twin in TypeScript takes no longer (docs/adr/0011-array-kernels.md),
 * that one is called.
 */
export function arrayKernelsOf(engine: ArrayEngine): ArrayKernels {
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
