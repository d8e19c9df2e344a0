// The exports that the host calls, in src/kernels/wasm/kernel-instance.ts. One batch at a time; the host copies input in and
// buffers out.
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

/** Called once per instance, before everything else. Returns the address of a push's outcome. */
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
