/** Loads the kernels over shared memory. Only leased reads in threads need them. */
export function loadSharedKernels(): Promise<typeof import("./wasm/shared-kernels.js")> {
  return import("./wasm/shared-kernels.js");
}
