// One unfinished column: its name, and the state of its buffers, which are in Arrow layout. Like
// src/kernels/typescript/example-column.ts.

// `ColumnRole` of the host.
/** Listed with a kind; always in the batch. */
export const PLANNED: u32 = 0;
/** Wanted by name; in the batch when the name occurred. */
export const WANTED: u32 = 1;
/** Found in the data; in the batch. */
export const DISCOVERED: u32 = 2;
/** Never in the batch. */
export const IGNORED: u32 = 3;
/** Found in the data although not allowed. Lives as long as the current record. */
export const UNLISTED: u32 = 4;

/** No row. */
export const NEVER: u32 = 0xffff_ffff;
/** In the length of a name: it is a feature list's. Names of features and of feature lists are apart. */
export const LIST_NAME: u32 = 0x8000_0000;

/**
 * What every entry touches comes first, in one cache line. The host reads some of the fields, as 32-bit words by their
 * places: src/kernels/wasm/column-record.ts.
 */
@unmanaged
export class Column {
  /** The first sixteen bytes of the key, zeros behind it. */
  keyHead0: u64;
  keyHead1: u64;
  /** With `LIST_NAME`. */
  keyLength: u32;
  /** Zero bits for the bytes of `keyHead` that the key has, one bits for the others. */
  keyIgnored: u32;
  /** The column that followed this one at the last look-up. */
  successor: usize;
  /** Tag of the field of `tensorflow.Feature` that holds lists of its kind; no tag while the kind is unknown. */
  listTag: u32;
  row: u32;
  nullCount: u32;
  numValues: u32;
  /** bytes: used length of the data. */
  numBytes: u32;
  offsets: usize;
  values: usize;
  /** Values that fit, by the kind. */
  valueCapacity: u32;
  /** Bytes of the block at `values`. */
  valueBytes: u32;
  valueOffsets: usize;
  /** Laid at the first null. */
  validity: usize;
  kind: u32;
  role: u32;
  /** Row that first held this name in the batch, `NEVER` while none did; 0 for a planned column. */
  firstRow: u32;
  /** The column made after this one; 0 after the last. */
  next: usize;
  hash: u32;
  plannedKind: u32;
  /** Row in which `kind` was found, `NEVER` when it was planned. */
  kindRow: u32;
  /** Bytes of the block at `valueOffsets`. */
  valueOffsetBytes: u32;
  valueHint: u32;
  byteHint: u32;
  /** In the current record, the mismatched entry, or 0; and its kind. */
  misfitAt: usize;
  misfitKind: u32;
  /** Of feature lists: the column of their steps, which has a row for each; else 0. */
  steps: usize;
  /** Rows that fit the offsets and the bitmap. */
  rowCapacity: u32;
  /** Size of the entries whose head is remembered, `NEVER` while none is; see head.as. */
  entrySize: u32;
  /** Bytes of the head, where its last vector begins, and one bits for the bytes of its only vector that it lacks. */
  headSize: u32;
  headLast: u32;
  headIgnored: u32;
  head0: u64;
  head1: u64;
  head2: u64;
  head3: u64;
  head4: u64;
  head5: u64;
  /** Size of the last entry that might have been remembered. */
  lastSize: u32;
}

/** The whole key follows the fields, and zeros up to a multiple of sixteen bytes. */
export const KEY: usize = (offsetof<Column>() + 15) & ~15;

// @ts-ignore: decorator
@inline
export function keyOf(column: Column): usize {
  return changetype<usize>(column) + KEY;
}

/** Number of bytes of a name, of a feature or of a feature list. */
// @ts-ignore: decorator
@inline
export function sizeOfName(length: u32): u32 {
  return length & ~LIST_NAME;
}

/** True if the `length` bytes at `key` are the column's name. Always reads sixteen bytes. */
// @ts-ignore: decorator
@inline
export function isKey(column: Column, key: usize, length: u32): bool {
  const equal = i8x16.bitmask(i8x16.eq(v128.load(key), v128.load(changetype<usize>(column))));
  // One condition, since with names in another order each of the two branches would be unpredictable.
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
