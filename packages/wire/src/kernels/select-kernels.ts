import { loadSharedKernels } from "#shared-kernels";
import { type Choice, implementationFor, environment } from "./choose-implementation.js";
import type { Kernels } from "./kernels.js";
import { typescriptKernels } from "./typescript/typescript-kernels.js";
import { createWasmKernels } from "./wasm/wasm-kernels.js";

/** The name of the default kernels and the reason for choosing them. */
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
 * Makes {@link kernels} return `other` in this thread. Undefined restores the default choice. Use it only in a thread that serves
 * one read at a time.
 */
export function useKernels(other: Kernels | undefined): void {
  inUse = other;
}

/**
 * Returns the kernels passed to {@link useKernels}, otherwise the default kernels: WebAssembly if it runs here, otherwise
 * TypeScript. `TFXIO_KERNELS=typescript` in the environment selects TypeScript. The default is chosen once, on first use.
 * WebAssembly and TypeScript give identical results.
 */
export function kernels(): Kernels {
  return inUse ?? chosen().kernels;
}

let shared: Promise<Kernels> | undefined;

/**
 * Resolves with WebAssembly kernels whose leased batches are in memory that other threads can read. Loads these kernels on
 * first use. If shared memory is unavailable, or the default kernels are TypeScript, resolves with the default kernels.
 */
export function sharedKernels(): Promise<Kernels> {
  shared ??= loadShared();
  return shared;
}

async function loadShared(): Promise<Kernels> {
  const plain = chosen().kernels;
  if (plain.name === "typescript" || typeof SharedArrayBuffer === "undefined") return plain;
  const { createSharedKernels } = await loadSharedKernels();
  return implementationFor(undefined, plain, createSharedKernels).kernels;
}

/** Returns the default kernels' name and the reason for the choice. {@link useKernels} does not change them. */
export function kernelInfo(): KernelInfo {
  const {
    kernels: { name },
    reason,
  } = chosen();
  return { name, reason };
}

/** Chooses the kernels. @param wanted Value of `TFXIO_KERNELS`, if it is set. */
export function chooseKernels(wanted: string | undefined, createWasm: () => Kernels): Choice<Kernels> {
  return implementationFor(wanted, typescriptKernels, createWasm);
}
