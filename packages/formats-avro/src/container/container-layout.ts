/** First bytes of an object container file: `Obj`, then the version as one byte. */
export const AVRO_MAGIC: readonly number[] = [0x4f, 0x62, 0x6a, 0x01];

/** Returns true if `head` begins like an Avro object container file of version 1. */
export function isAvroFile(head: Uint8Array): boolean {
  return AVRO_MAGIC.every((byte, index) => head[index] === byte);
}

/** Maximum number of rows in a block. It leaves 43 of the 63 bits of a row position for the block's byte offset. */
export const MAX_BLOCK_ROWS: number = 2 ** 20;

/** Length in bytes of the marker after each block. */
export const SYNC_BYTES = 16;
