/** Loads the kernels over shared memory, which only leased reads in threads need. */
export function loadSharedKernels(): Promise<typeof import("./wasm/shared-kernels.js")> {
  return import("./wasm/shared-kernels.js");
}
