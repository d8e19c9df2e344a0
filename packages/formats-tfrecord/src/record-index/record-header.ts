import { kernels, maskCrc32c } from "@tfxio/wire/kernels";

/** Bytes of a record's header: the length of the payload, and the masked CRC-32C of that length. */
export const HEADER_BYTES = 12;
/** Bytes of a frame in addition to its payload: the header and the payload's checksum. */
export const FRAME_BYTES = 16;

/** Returns the length of the payload whose header begins at `at`, or undefined if no valid header begins there. */
export function payloadLengthAt(bytes: Uint8Array, at: number): number | undefined {
  return findHeader(bytes, at, at + 1) === at ? uint32At(bytes, at) : undefined;
}

/** Returns the first position from `from` (inclusive) to `end` (exclusive) at which a complete header begins, or -1. */
export function findHeader(bytes: Uint8Array, from: number, end: number): number {
  const last = Math.min(end - 1, bytes.length - HEADER_BYTES);
  for (let at = from; at <= last; at++) {
    // Excludes most positions quickly. The upper half of a length is 0, since no record reaches 4 GiB.
    if (bytes[at + 4] !== 0 || bytes[at + 5] !== 0 || bytes[at + 6] !== 0 || bytes[at + 7] !== 0) continue;
    const stored = uint32At(bytes, at + 8);
    // Excludes runs of zeros quickly: the masked checksum of a zero length is not 0.
    if (stored === 0 && uint32At(bytes, at) === 0) continue;
    if (stored === maskCrc32c(kernels().crc32c(bytes, at, at + 8))) return at;
  }
  return -1;
}

function uint32At(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}
