/** The first bytes of an object container file: `Obj` and the version. */
export const AVRO_MAGIC: readonly number[] = [0x4f, 0x62, 0x6a, 0x01];

/** True if the bytes begin as an Avro file of version 1. */
export function isAvroFile(head: Uint8Array): boolean {
  return AVRO_MAGIC.every((byte, index) => head[index] === byte);
}

/** Rows of a block at most, so that its byte offset and a number in it make one row position of 63 bits. */
export const MAX_BLOCK_ROWS: number = 2 ** 20;

/** Bytes of the marker that stands after each block. */
export const SYNC_BYTES = 16;
