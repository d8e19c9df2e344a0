/** Loads the module of the kernels that use shared memory. Only threads that lease batches to another thread need it. */
export function loadSharedKernels(): Promise<typeof import("./wasm/shared-kernels.js")> {
  return import("./wasm/shared-kernels.js");
}
