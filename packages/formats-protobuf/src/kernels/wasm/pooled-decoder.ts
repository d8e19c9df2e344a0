import type { RecordsDecoder } from "../message-kernel.js";
import type { DecoderPlan } from "../typescript/message-decoder.js";
import { createTypescriptDecoder } from "../typescript/typescript-kernel.js";
import type { KernelPool, PlannedKernel } from "./kernel-pool.js";
import { createWasmDecoder } from "./wasm-decoder.js";

/**
 * A decoder that borrows an instance for each batch. If it gets none, it uses the TypeScript implementation. The results are the
 * same.
 */
export function createPooledDecoder(pool: KernelPool, plan: DecoderPlan): RecordsDecoder {
  let borrowed: PlannedKernel | null = null;
  let decoder: RecordsDecoder | undefined;

  const current = (): RecordsDecoder => {
    if (decoder !== undefined) return decoder;
    borrowed = pool.borrow(plan);
    decoder = borrowed === null ? createTypescriptDecoder(plan) : createWasmDecoder(borrowed);
    return decoder;
  };

  return {
    get numRows() {
      return decoder?.numRows ?? 0;
    },
    decode: (block, from, limits) => current().decode(block, from, limits),
    addNullRow: (recordBytes, limits) => current().addNullRow(recordBytes, limits),
    itemsOf: (column, numParents) => current().itemsOf(column, numParents),
    numBytes: () => current().numBytes(),
    clear() {
      decoder?.clear();
      // Keep an instance that the pool rejects because it holds too much memory.
      if (borrowed !== null && pool.giveBack(borrowed)) borrowed = null;
      if (borrowed === null) decoder = undefined;
    },
  };
}
