// One unfinished column: its name, and the state of its buffers, which are in Arrow layout. Like
// src/kernels/typescript/example-column.ts.

// `ColumnRole` of the host.
/** A column listed with a kind. It is always in the batch. */
export const PLANNED: u32 = 0;
/** A column requested by name. It is in the batch if the name occurs. */
export const WANTED: u32 = 1;
/** A column found in this or an earlier batch. It is in the batch if the name occurs. */
export const DISCOVERED: u32 = 2;
/** A column that is never in the batch. */
export const IGNORED: u32 = 3;
/** A column whose name is not allowed. It only marks an entry of the current record as a mismatch, and is never in the batch. */
export const UNLISTED: u32 = 4;

/** Stands for no row, size, name length or address. */
export const NEVER: u32 = 0xffff_ffff;
/** A bit in the length of a name. It marks a feature list, because a feature may have the same name. */
export const LIST_NAME: u32 = 0x8000_0000;

/**
 * The fields used most come first, in one cache line. src/kernels/wasm/column-record.ts reads some fields as 32-bit words, by
 * index.
 */
@unmanaged
export class Column {
  /** These two fields hold the first sixteen bytes of the key, padded with zeros. */
  keyHead0: u64;
  keyHead1: u64;
  /** Length of the name, with the bit `LIST_NAME` for a feature list. */
  keyLength: u32;
  /** A bit for each byte of `keyHead0` and `keyHead1`: 0 for bytes of the key, 1 for padding. */
  keyIgnored: u32;
  /** The column expected after this one. */
  successor: usize;
  /** Tag of the field of `tensorflow.Feature` that holds lists of the column's kind; `NO_TAG` while that is unknown. */
  listTag: u32;
  row: u32;
  nullCount: u32;
  numValues: u32;
  /** For columns of bytes: used length of the data. */
  numBytes: u32;
  offsets: usize;
  values: usize;
  /** Number of values of the column's kind that fit. */
  valueCapacity: u32;
  /** Size of the block at `values` in bytes. */
  valueBytes: u32;
  valueOffsets: usize;
  /** Allocated at the first null. */
  validity: usize;
  kind: u32;
  role: u32;
  /** First row in which the name occurs in this batch; `NEVER` if it has not occurred; 0 for a planned column. */
  firstRow: u32;
  /** The column created after this one; 0 for the last column. */
  next: usize;
  hash: u32;
  plannedKind: u32;
  /** Row in which `kind` was found; `NEVER` if it was planned or is unset. */
  kindRow: u32;
  /** Size of the block at `valueOffsets` in bytes. */
  valueOffsetBytes: u32;
  valueHint: u32;
  byteHint: u32;
  /** Position of the mismatched entry in the current record, or 0. */
  mismatchAt: usize;
  /** The kind of that entry. In a column of steps: the kind that the steps should have. */
  mismatchKind: u32;
  /** For feature lists: the column of their steps, with a row for each step; else 0. */
  steps: usize;
  /** Number of rows that fit in the offsets and the bitmap. */
  rowCapacity: u32;
  /** Size of the entries whose head is remembered; `NEVER` without a head. See head.as. */
  entrySize: u32;
  /** Size of the head, and start of its last vector. */
  headSize: u32;
  headLast: u32;
  /** A bit for each of the first sixteen bytes: 0 for bytes of the head, 1 for bytes after it. */
  headIgnored: u32;
  head0: u64;
  head1: u64;
  head2: u64;
  head3: u64;
  head4: u64;
  head5: u64;
  /** Size of the entry at the last call of `rememberHead`. */
  lastSize: u32;
}

/** Offset of the whole key, which follows the fields and is padded with zeros to a multiple of sixteen bytes. */
export const KEY: usize = (offsetof<Column>() + 15) & ~15;

// @ts-ignore: decorator
@inline
export function keyOf(column: Column): usize {
  return changetype<usize>(column) + KEY;
}

/** Number of bytes in the name of a feature or of a feature list. */
// @ts-ignore: decorator
@inline
export function sizeOfName(length: u32): u32 {
  return length & ~LIST_NAME;
}

/**
 * True if the name at `key` is the column's. `length` has the bit `LIST_NAME` for a feature list. Reads at least sixteen
 * bytes.
 */
// @ts-ignore: decorator
@inline
export function isKey(column: Column, key: usize, length: u32): bool {
  const equal = i8x16.bitmask(i8x16.eq(v128.load(key), v128.load(changetype<usize>(column))));
  // Use one condition. With names in any order, two branches would both be unpredictable.
  if (((<u32>equal | column.keyIgnored) ^ 0xffff) | (column.keyLength ^ length)) return false;
  return sizeOfName(length) <= 16 || isLongKey(column, key, sizeOfName(length));
}

function isLongKey(column: Column, key: usize, length: u32): bool {
  const name = keyOf(column);
  for (let i: usize = 16; i < length - 16; i += 16) {
    if (v128.any_true(v128.xor(v128.load(key + i), v128.load(name + i)))) return false;
  }
  const last = <usize>length - 16;
  return !v128.any_true(v128.xor(v128.load(key + last), v128.load(name + last)));
}
