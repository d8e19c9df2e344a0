// The exports of the module, which src/kernels/wasm/kernel-instance.ts declares. An instance decodes one batch at a time. The
// host copies input in, then copies the buffers of the batch or borrows them.
import { countDamage, resetArena } from "./arena";
import { KEY } from "./column";
import { setSeed } from "./column-table";
import { makeCrcTables } from "./crc32c";
import { OUTCOME } from "./outcome";

export { begin, bytesUsed, finish, hasFeatureLists, numBytes, rows } from "./batch";
export { addColumns, hintRaw, rawColumn } from "./batch-columns";
export { crcOfInput, inputOf } from "./input";
export { pushFrames, pushRecords } from "./push";
export { scanFrames } from "./tfrecord-frame";

/** Called once per instance, before everything else. Returns the address of the outcome of pushes and scans. */
export function initialize(seed: u64): usize {
  resetArena();
  makeCrcTables();
  setSeed(seed);
  return OUTCOME;
}

export function keyOffset(): usize {
  return KEY;
}

/** With canaries: number of blocks in the current batch whose surroundings were written to. */
export function damage(): u32 {
  return countDamage();
}
