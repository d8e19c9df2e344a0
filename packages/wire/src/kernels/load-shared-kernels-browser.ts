import * as sharedKernels from "./wasm/shared-kernels.js";

// Import statically, so that bundlers create no separate chunk. A chunk may import an application entry that awaits the chunk,
// which would deadlock. Workers bundled as a single file cannot have separate chunks at all.

/** Returns the kernels over shared memory, which are part of this bundle. */
export function loadSharedKernels(): Promise<typeof sharedKernels> {
  return Promise.resolve(sharedKernels);
}
