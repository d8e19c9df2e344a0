import type { ArrayKernels } from "../array-kernels.js";
import { fillNulls } from "../fill-nulls.js";
import { compileWasm } from "../../wasm/web-assembly.js";
import { arrayWasmBase64 } from "./array-wasm.js";
import { ArrayInstance } from "./array-instance.js";
import { cooWith } from "./coo-windows.js";
import { gatherWith } from "./gather-windows.js";
import { padWith } from "./pad-windows.js";
import { varintsWith } from "./varint-windows.js";

/** Creates the array kernels in WebAssembly. Throws the runtime's error if it cannot compile or instantiate them. */
export function createWasmArrayKernels(): ArrayKernels {
  return arrayKernelsOf(new ArrayInstance(compileWasm(arrayWasmBase64)));
}

/**
 * Returns the array kernels on this WebAssembly instance. They call the TypeScript implementation where that is at least as fast
 * (docs/adr/0011-array-kernels.md).
 */
export function arrayKernelsOf(instance: ArrayInstance): ArrayKernels {
  return {
    name: "wasm",
    cooIndices: cooWith(instance),
    padRows: padWith(instance),
    gatherRanges: gatherWith(instance),
    // The TypeScript implementation is as fast, since it copies everything and then visits only the nulls.
    fillNulls,
    encodeVarints: varintsWith(instance),
  };
}
