import type { RecordsDecoder } from "../message-kernel.js";
import type { DecoderPlan } from "../typescript/message-decoder.js";
import { createTypescriptDecoder } from "../typescript/typescript-kernel.js";
import type { KernelPool, PlannedKernel } from "./kernel-pool.js";

/**
 * Creates a decoder that borrows an instance from the pool for each batch. If no memory is left for an instance, the decoder uses
 * the TypeScript implementation. The results are the same.
 */
export function createPooledDecoder(pool: KernelPool, plan: DecoderPlan): RecordsDecoder {
  let borrowed: PlannedKernel | null = null;
  let decoder: RecordsDecoder | undefined;

  const current = (): RecordsDecoder => {
    if (decoder !== undefined) return decoder;
    borrowed = pool.borrow(plan);
    decoder = borrowed === null ? createTypescriptDecoder(plan) : borrowed.decoder;
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
      // The pool rejects an instance that would bring it above its memory limit. Then this decoder keeps the instance.
      if (borrowed !== null && pool.giveBack(borrowed)) borrowed = null;
      if (borrowed === null) decoder = undefined;
    },
  };
}
