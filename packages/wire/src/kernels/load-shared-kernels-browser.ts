import * as sharedKernels from "./wasm/shared-kernels.js";

// Static, so that bundlers make no chunk of it: such a chunk may import an entry that waits for it, and a worker that is
// one file cannot have any.

/** As in load-shared-kernels-node.ts. */
export function loadSharedKernels(): Promise<typeof sharedKernels> {
  return Promise.resolve(sharedKernels);
}
