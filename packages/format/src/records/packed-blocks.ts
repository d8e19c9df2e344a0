import type { RecordBlock } from "@tfxio/wire";

/** Maximum size of a block: large enough to make the work per block negligible, and small enough to stay in the cache. */
const BLOCK_BYTES = 256 * 2 ** 10;
const BLOCK_RECORDS = 4096;

/**
 * Packs records that lie anywhere in memory into blocks. Records that follow each other in one buffer, as readers return them,
 * are not copied. Other records are copied into a buffer that the next block reuses, so a block is valid only until the next one.
 */
export function* packedBlocks(records: readonly Uint8Array[], uri: string): Generator<RecordBlock> {
  const size = Math.min(BLOCK_RECORDS, records.length);
  const bounds = { starts: new Uint32Array(size), ends: new Uint32Array(size) };
  let scratch = new Uint8Array(0);
  for (let from = 0; from < records.length; ) {
    const { numRecords, numBytes } = countRecords(records, from);
    let bytes = sharedBytes(records, from, numRecords);
    if (bytes === undefined) {
      if (scratch.length < numBytes) scratch = new Uint8Array(Math.max(numBytes, BLOCK_BYTES));
      bytes = scratch;
      copyRecords(records, from, numRecords, bytes, bounds);
    } else {
      for (let index = 0; index < numRecords; index++) {
        const record = records[from + index]!;
        const start = record.byteOffset - bytes.byteOffset;
        bounds.starts[index] = start;
        bounds.ends[index] = start + record.length;
      }
    }
    yield { uri, bytes, numRecords, ...bounds, firstRecordIndex: from, byteOffset: 0 };
    from += numRecords;
  }
}

/** Counts the records of the block that begins with record `from`: at least one, even if it exceeds the maximum size. */
function countRecords(
  records: readonly Uint8Array[],
  from: number,
): { readonly numRecords: number; readonly numBytes: number } {
  const last = Math.min(records.length, from + BLOCK_RECORDS);
  let numBytes = records[from]!.length;
  let until = from + 1;
  while (until < last && numBytes + records[until]!.length <= BLOCK_BYTES)
    numBytes += records[until++]!.length;
  return { numRecords: until - from, numBytes };
}

/**
 * Returns the bytes from the first record to the last. Undefined unless the records lie close together, in order, in one buffer.
 */
function sharedBytes(
  records: readonly Uint8Array[],
  from: number,
  numRecords: number,
): Uint8Array | undefined {
  const first = records[from]!;
  const { buffer, byteOffset } = first;
  let end = byteOffset + first.length;
  for (let index = from + 1; index < from + numRecords; index++) {
    const record = records[index]!;
    if (record.byteOffset < end || record.buffer !== buffer) return undefined;
    end = record.byteOffset + record.length;
  }
  return end - byteOffset > 2 * BLOCK_BYTES && numRecords > 1
    ? undefined
    : new Uint8Array(buffer, byteOffset, end - byteOffset);
}

function copyRecords(
  records: readonly Uint8Array[],
  from: number,
  numRecords: number,
  bytes: Uint8Array,
  { starts, ends }: Pick<RecordBlock, "starts" | "ends">,
): void {
  let at = 0;
  for (let index = 0; index < numRecords; index++) {
    const record = records[from + index]!;
    bytes.set(record, at);
    starts[index] = at;
    at += record.length;
    ends[index] = at;
  }
}
