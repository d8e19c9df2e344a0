import { loadSharedKernels } from "#shared-kernels";
import { type Choice, chooseTwin, environment } from "./choose-twin.js";
import type { Kernels } from "./kernels.js";
import { typescriptKernels } from "./typescript/typescript-kernels.js";
import { createWasmKernels } from "./wasm/wasm-kernels.js";

/** Which kernels run, and why these. */
export interface KernelInfo {
  readonly name: Kernels["name"];
  readonly reason: string;
}

let choice: Choice<Kernels> | undefined;

function chosen(): Choice<Kernels> {
  choice ??= chooseKernels(environment("TFXIO_KERNELS"), createWasmKernels);
  return choice;
}

let inUse: Kernels | undefined;

/**
 * Makes {@link kernels} give `other` in this thread from now on, or the chosen ones again. For a thread that serves one
 * read at a time, which knows which kernels that read needs.
 */
export function useKernels(other: Kernels | undefined): void {
  inUse = other;
}

/**
 * The kernels to use; chosen at the first call: WebAssembly where it runs, else TypeScript, with the same results.
 * `TFXIO_KERNELS=typescript` in the environment asks for that twin.
 */
export function kernels(): Kernels {
  return inUse ?? chosen().kernels;
}

let shared: Promise<Kernels> | undefined;

/**
 * {@link kernels}, but leased batches lie in memory that other threads can see. Loaded when first asked for. Where that
 * cannot be had they are those of {@link kernels}.
 */
export function sharedKernels(): Promise<Kernels> {
  shared ??= loadShared();
  return shared;
}

async function loadShared(): Promise<Kernels> {
  const plain = chosen().kernels;
  if (plain.name === "typescript" || typeof SharedArrayBuffer === "undefined") return plain;
  const { createSharedKernels } = await loadSharedKernels();
  return chooseTwin(undefined, plain, createSharedKernels).kernels;
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
export function chooseKernels(wanted: string | undefined, createWasm: () => Kernels): Choice<Kernels> {
  return chooseTwin(wanted, typescriptKernels, createWasm);
}
