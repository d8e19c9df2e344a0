// Validity of lists as an Arrow bitmap. A list without items is null.
import { Column } from "./column";
import { abandon, allocate } from "./memory";

export let bitmap: usize = 0;
export let nullCount: u32 = 0;
let bitmapBytes: u32 = 0;

/** Computes {@link bitmap} and {@link nullCount} for the lists of `numParents` parents; false when memory runs out. */
export function findValidity(column: Column, numParents: u32): bool {
  const numBytes = (numParents + 7) >> 3;
  if (numBytes > bitmapBytes || bitmap == 0) {
    if (bitmap != 0) abandon();
    bitmap = allocate(numBytes);
    bitmapBytes = numBytes;
    if (bitmap == 0) return false;
  }
  const starts = column.starts;
  const numListed = <u32>(column.lastParent + 1);
  // Write the end of the last list, possibly into the `SLACK` bytes after the block.
  store<u32>(starts + (<usize>numListed << 2), column.numItems);
  let numValid: u32 = 0;
  let list: u32 = 0;
  for (; list < numListed; list += 8) {
    const at = starts + (<usize>list << 2);
    const low = i32x4.ne(v128.load(at), v128.load(at, 4));
    const high = i32x4.ne(v128.load(at, 16), v128.load(at, 20));
    let bits = <u32>v128.bitmask<i32>(low) | (<u32>v128.bitmask<i32>(high) << 4);
    if (numListed - list < 8) bits &= (1 << (numListed - list)) - 1;
    store<u8>(bitmap + (list >> 3), <u8>bits);
    numValid += popcnt(bits);
  }
  const written = list >> 3;
  if (written < numBytes) memory.fill(bitmap + written, 0, numBytes - written);
  nullCount = numParents - numValid;
  return true;
}

/** Forgets the address, after the memory has been released. */
export function forgetBitmap(): void {
  bitmap = 0;
  bitmapBytes = 0;
}
