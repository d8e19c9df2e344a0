// The pending input, contiguous in memory. A line feed follows it, so that every search ends.
import { LF } from "./dialect";
import { allocate } from "./memory";

export let inputStart: usize = 0;
export let inputEnd: usize = 0;
let buffer: usize = 0;
let bufferSize: usize = 0;

/** The address for `size` more bytes; 0 when memory runs out. */
export function roomForInput(size: usize): usize {
  const pending = inputEnd - inputStart;
  if (inputEnd + size > buffer + bufferSize) {
    const isLarge = pending + size <= bufferSize;
    const needed = <u64>(pending + size);
    const newSize = isLarge ? bufferSize : <usize>max<u64>(needed, <u64>pending * 2);
    if (!isLarge && needed > 0x7fffffff) return 0;
    const target = isLarge ? buffer : allocate(newSize);
    if (target == 0) return 0;
    memory.copy(target, inputStart, pending);
    buffer = target;
    bufferSize = newSize;
    inputStart = target;
    inputEnd = target + pending;
  }
  return inputEnd;
}

/** Adds `size` bytes to the input, after the host has written them to the address from `roomForInput`. */
export function addInput(size: usize): void {
  inputEnd += size;
  store<u8>(inputEnd, <u8>LF);
}

export function takeInput(size: usize): void {
  inputStart += size;
}
