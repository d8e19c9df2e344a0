/**
 * Size of a stream's chunks in bytes: 1 MiB. Inflating into such chunks is faster than into node:zlib's default of 16 KiB (`pnpm
 * bench gzip` measures both). Reading a file in such chunks takes half the processor time of 64 KiB chunks, and a tenth more than
 * 4 MiB chunks.
 */
export const CHUNK_BYTES: number = 1 << 20;
