import type { Kernels } from "./kernels.js";
import { typescriptKernels } from "./typescript-kernels.js";
import { createWasmKernels } from "./wasm/wasm-kernels.js";

/** Which kernels run, and why these. */
export interface KernelInfo {
  readonly name: Kernels["name"];
  readonly reason: string;
}

/** Kernels and why they were chosen. */
interface Choice {
  readonly kernels: Kernels;
  readonly reason: string;
}

let choice: Choice | undefined;

function chosen(): Choice {
  choice ??= chooseKernels(environment("TFXIO_KERNELS"), createWasmKernels);
  return choice;
}

/**
 * The kernels to use; chosen at the first call: WebAssembly where it runs, else TypeScript, with the same results.
 * `TFXIO_KERNELS=typescript` in the environment asks for that twin.
 */
export function kernels(): Kernels {
  return chosen().kernels;
}

/** What {@link kernels} has chosen. */
export function kernelInfo(): KernelInfo {
  const {
    kernels: { name },
    reason,
  } = chosen();
  return { name, reason };
}

/** @param wanted the value of `TFXIO_KERNELS` */
export function chooseKernels(wanted: string | undefined, createWasm: () => Kernels): Choice {
  if (wanted === "typescript") return { kernels: typescriptKernels, reason: "TFXIO_KERNELS=typescript" };
  try {
    return { kernels: createWasm(), reason: "WebAssembly runs here" };
  } catch (error) {
    // Whatever the runtime throws: no SIMD, a content security policy, no memory left.
    const why = error instanceof Error ? error.message : String(error);
    return { kernels: typescriptKernels, reason: `WebAssembly does not run here: ${why}` };
  }
}

/** A variable of the environment; undefined where there is none, as in browsers. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
