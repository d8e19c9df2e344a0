import * as sharedKernels from "./wasm/shared-kernels.js";

// Import statically, so that bundlers create no separate chunk. Such a chunk may import the application's entry. If the entry
// awaits the chunk, both wait forever. Workers bundled as a single file cannot have separate chunks at all.

/** Resolves with the module of the kernels that use shared memory. The module is part of this bundle. */
export function loadSharedKernels(): Promise<typeof sharedKernels> {
  return Promise.resolve(sharedKernels);
}
