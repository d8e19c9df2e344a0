import * as sharedKernels from "./wasm/shared-kernels.js";

// A static import, so that bundlers create no chunk for it. A chunk may import an entry that awaits it, and a single-file worker
// cannot have chunks.

/** See load-shared-kernels-node.ts. */
export function loadSharedKernels(): Promise<typeof sharedKernels> {
  return Promise.resolve(sharedKernels);
}
