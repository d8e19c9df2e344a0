// The block format of LZ4. A block consists of sequences. Each sequence has literals, and then a match, which repeats earlier
// bytes. The last sequence has no match.
// https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md

const MIN_MATCH = 4;
/** A length of 15 continues in further bytes. */
const LONG = 15;
/** The last match starts at least 12 bytes before the end of a block. */
const MATCH_LIMIT = 12;
/** The last 5 bytes of a block are literals. */
const LAST_LITERALS = 5;
const MAX_DISTANCE = 0xffff;
const HASH_BITS = 14;

/**
 * Decompresses a block into `target`, beginning at `at`. Matches may refer to earlier blocks in `target`.
 * @returns the position after the last byte; -1 if the block is damaged or does not fit.
 */
export function decompressBlock(block: Uint8Array, target: Uint8Array, at: number): number {
  let from = 0;
  let to = at;
  while (from < block.length) {
    const token = block[from++] as number;
    let numLiterals = token >> 4;
    if (numLiterals === LONG) {
      for (let more = 255; more === 255; numLiterals += more)
        more = block[from++] ?? block.length + target.length;
    }
    if (numLiterals > block.length - from || numLiterals > target.length - to) return -1;
    if (numLiterals > 32) target.set(block.subarray(from, from + numLiterals), to);
    else for (let index = 0; index < numLiterals; index++) target[to + index] = block[from + index] as number;
    from += numLiterals;
    to += numLiterals;
    if (from === block.length) return to;
    if (from + 2 > block.length) return -1;
    const distance = (block[from] as number) | ((block[from + 1] as number) << 8);
    from += 2;
    let length = token & LONG;
    if (length === LONG) {
      for (let more = 255; more === 255; length += more) more = block[from++] ?? target.length;
    }
    length += MIN_MATCH;
    if (distance === 0 || distance > to || length > target.length - to) return -1;
    if (distance >= length && length > 32) target.copyWithin(to, to - distance, to - distance + length);
    else
      for (let index = 0; index < length; index++)
        target[to + index] = target[to + index - distance] as number;
    to += length;
  }
  return -1;
}

/** Compresses `bytes`, at most 4 MiB, as one block. Returns undefined if the block might not be smaller. */
export function compressBlock(bytes: Uint8Array): Uint8Array | undefined {
  const target = new Uint8Array(bytes.length);
  const positions = new Int32Array(1 << HASH_BITS).fill(-1);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lastMatch = bytes.length - MATCH_LIMIT;
  let [literals, to, at] = [0, 0, 0];
  while (at <= lastMatch) {
    const sequence = view.getInt32(at, true);
    const slot = Math.imul(sequence, 0x9e3779b1) >>> (32 - HASH_BITS);
    const match = positions[slot] as number;
    positions[slot] = at;
    if (match < 0 || at - match > MAX_DISTANCE || view.getInt32(match, true) !== sequence) {
      // The steps grow while no match is found, to skip incompressible bytes quickly.
      at += 1 + ((at - literals) >> 6);
      continue;
    }
    let length = MIN_MATCH;
    const most = bytes.length - LAST_LITERALS - at;
    while (length < most && bytes[match + length] === bytes[at + length]) length++;
    to = writeSequence(target, to, bytes.subarray(literals, at), { distance: at - match, length });
    if (to < 0) return undefined;
    at += length;
    literals = at;
  }
  to = writeSequence(target, to, bytes.subarray(literals));
  return to < 0 ? undefined : target.subarray(0, to);
}

/** Writes literals, and then a match if there is one. @returns the position after them; -1 if they might not fit. */
function writeSequence(
  target: Uint8Array,
  at: number,
  literals: Uint8Array,
  match?: { readonly distance: number; readonly length: number },
): number {
  const extra = match === undefined ? 0 : match.length - MIN_MATCH;
  const numBytes = 1 + literals.length + Math.ceil(literals.length / 255) + 3 + Math.ceil(extra / 255);
  if (at + numBytes > target.length) return -1;
  let to = at;
  target[to++] = (Math.min(literals.length, LONG) << 4) | Math.min(extra, LONG);
  to = writeLength(target, to, literals.length);
  target.set(literals, to);
  to += literals.length;
  if (match === undefined) return to;
  target[to++] = match.distance & 0xff;
  target[to++] = match.distance >> 8;
  return writeLength(target, to, extra);
}

function writeLength(target: Uint8Array, at: number, length: number): number {
  if (length < LONG) return at;
  let [to, rest] = [at, length - LONG];
  for (; rest >= 255; rest -= 255) target[to++] = 255;
  target[to++] = rest;
  return to;
}
