/** The first bytes of an object container file: `Obj` and the version. */
export const AVRO_MAGIC: readonly number[] = [0x4f, 0x62, 0x6a, 0x01];

/** True if the bytes begin like an Avro file of version 1. */
export function isAvroFile(head: Uint8Array): boolean {
  return AVRO_MAGIC.every((byte, index) => head[index] === byte);
}

/** Maximum number of rows in a block. A block's byte offset and an index in it then fit a row position of 63 bits. */
export const MAX_BLOCK_ROWS: number = 2 ** 20;

/** Length in bytes of the marker after each block. */
export const SYNC_BYTES = 16;
