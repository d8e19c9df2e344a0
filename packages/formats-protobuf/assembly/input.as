// The copied records, and the bounds of each.
import { abandon, allocate } from "./memory";

export let input: usize = 0;
/** Offsets in the host's record block: first the starts of all copied records, then their ends. */
export let bounds: usize = 0;
let inputBytes: u32 = 0;
let boundsRecords: u32 = 0;

/** Makes room for `numRecords` records with a total of `numBytes` bytes; false when memory runs out. */
export function makeRoom(numBytes: u32, numRecords: u32): bool {
  if (numBytes > inputBytes || input == 0) {
    if (input != 0) abandon();
    input = allocate(numBytes);
    inputBytes = input == 0 ? 0 : numBytes;
    if (input == 0) return false;
  }
  if (numRecords > boundsRecords) {
    if (bounds != 0) abandon();
    bounds = allocate(<u64>numRecords << 3);
    boundsRecords = bounds == 0 ? 0 : numRecords;
  }
  return bounds != 0;
}

/** Forgets the addresses, after the memory has been released. */
export function forgetInput(): void {
  input = bounds = 0;
  inputBytes = boundsRecords = 0;
}
