// The input that the host has copied: records, descriptions of columns, or bytes for a checksum.
import { allocate, SLACK } from "./arena";
import { crc32c } from "./crc32c";

export let input: usize = 0;
let inputCapacity: usize = 0;

/** Forgets the input, after the arena has been reset. */
export function dropInput(): void {
  input = 0;
  inputCapacity = 0;
}

/** Address for `size` bytes of input, followed by slack; 0 if memory runs out. Earlier input is lost. */
export function inputOf(size: usize): usize {
  if (size > inputCapacity) {
    input = allocate(<u64>size + SLACK);
    inputCapacity = input == 0 ? 0 : size;
  }
  return input;
}

/** CRC-32C of the first `length` bytes of the input. */
export function crcOfInput(length: usize, before: u32): u32 {
  return crc32c(input, length, before);
}
