// A bump arena above the static data. All memory of a batch is allocated consecutively and freed together.

/** Size in bytes of the slack after every block. Loads and stores of whole vectors may touch it. */
export const SLACK: usize = 64;
/** No block may end after this, so that a position plus a small number stays below 2^32. */
const CEILING: u64 = 0xffff_0000;
/** A build with `--use TFXIO_CANARIES=1` has canaries: this number of guard bytes before every block, and after its slack. */
const CANARY: usize = 64;
const PATTERN: u32 = 0xa5c3_96e1;

let top: usize = 0;
/** With canaries: the block allocated last. The canary before each block holds the address of the previous block. */
let lastBlock: usize = 0;

/** Drops every block. */
export function resetArena(): void {
  top = __heap_base;
  lastBlock = 0;
}

/** End of the last block's slack, for {@link releaseTo}. */
export function arenaTop(): usize {
  return top;
}

/** Frees the blocks allocated since `arenaTop` returned `mark`. */
export function releaseTo(mark: usize): void {
  top = mark;
  if (isDefined(TFXIO_CANARIES)) while (lastBlock > mark) lastBlock = load<u32>(lastBlock - CANARY);
}

/** True if the block of `size` bytes and its slack lie before `mark`, or if `block` is 0. */
export function isBefore(mark: usize, block: usize, size: usize): bool {
  // The last block before the mark may have grown past it in place.
  return block == 0 || block + size + SLACK + (isDefined(TFXIO_CANARIES) ? CANARY : 0) <= mark;
}

/** A block of `size` bytes, 64-byte aligned, or 0 if memory runs out. Its bytes are not cleared. */
export function allocate(size: u64): usize {
  let start = (top + 63) & ~63;
  if (isDefined(TFXIO_CANARIES)) start += CANARY;
  if (!reserve(start, size)) return 0;
  if (isDefined(TFXIO_CANARIES)) {
    store<u32>(start - CANARY, lastBlock);
    store<u32>(start - CANARY, <u32>size, 4);
    for (let i: usize = 8; i < CANARY; i += 4) store<u32>(start - CANARY + i, PATTERN);
    lastBlock = start;
    sealEnd(start, <usize>size);
  }
  return start;
}

/**
 * Returns a block of `size` bytes, or 0 if memory runs out. It begins with a copy of the first `used` bytes of `block`. `block`
 * has `capacity` bytes. If `block` was allocated last, it grows in place and is returned.
 */
export function regrow(block: usize, capacity: usize, used: usize, size: u64): usize {
  if (block != 0 && isLast(block, capacity)) {
    if (!reserve(block, size)) return 0;
    if (isDefined(TFXIO_CANARIES)) {
      store<u32>(block - CANARY, <u32>size, 4);
      sealEnd(block, <usize>size);
    }
    return block;
  }
  const grown = allocate(size);
  if (grown != 0) memory.copy(grown, block, used);
  return grown;
}

function isLast(block: usize, capacity: usize): bool {
  if (isDefined(TFXIO_CANARIES)) return block == lastBlock;
  return block + capacity + SLACK == top;
}

/** Sets `top` to the end of the slack of a block at `start`, and grows memory if necessary; false if that fails. */
function reserve(start: usize, size: u64): bool {
  if (size > CEILING) return false;
  let end = <u64>start + size + SLACK;
  if (isDefined(TFXIO_CANARIES)) end += CANARY;
  if (end > CEILING) return false;
  const present = <u32>memory.size();
  const needed = <u32>((end + 0xffff) >> 16);
  if (needed > present) {
    const missing = needed - present;
    // Try to grow by at least a quarter, since every growth detaches the host's views.
    const generous = min(max(missing, max(present >> 2, 16)), 0x1_0000 - present);
    if (memory.grow(generous) < 0 && memory.grow(missing) < 0) return false;
  }
  top = <usize>end;
  return true;
}

function sealEnd(start: usize, size: usize): void {
  for (let i: usize = 0; i < CANARY; i++) store<u8>(start + size + SLACK + i, 0xa5);
}

/** With canaries: the number of blocks whose surroundings were written to. */
export function countDamage(): u32 {
  let damaged: u32 = 0;
  for (let block = lastBlock; block != 0; block = load<u32>(block - CANARY)) {
    const size = load<u32>(block - CANARY, 4);
    let isWhole = true;
    for (let i: usize = 8; i < CANARY; i += 4) isWhole = isWhole && load<u32>(block - CANARY + i) == PATTERN;
    for (let i: usize = 0; i < CANARY; i++) isWhole = isWhole && load<u8>(block + size + SLACK + i) == 0xa5;
    if (!isWhole) damaged++;
  }
  return damaged;
}
