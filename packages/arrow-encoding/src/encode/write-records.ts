import { copyBytes, type WordBytes, wordBytes } from "./copy-bytes.js";
import {
  assertByteLength,
  type FeatureBytes,
  featureBytes,
  type VarintScratch,
  writeFeature,
} from "./feature-bytes.js";
import { unicode } from "../example/encode-example.js";
import type { FlatFeature } from "./flat-features.js";
import { varintSize, writeVarint } from "./varint-bytes.js";

/** The contents of one feature list in all rows. A row may lack the list. */
export interface FlatFeatureList {
  /** One byte per row, 1 if the list is absent. Undefined if every row has it. */
  readonly isNull: Uint8Array | undefined;
  /** int32. Row `r` has the steps `stepSplits[r]` to `stepSplits[r + 1]` (exclusive). */
  readonly stepSplits: Int32Array;
  /** The steps of all rows, concatenated. The name of this feature is the name of the list. */
  readonly steps: FlatFeature;
}

/** All feature lists of a batch. */
export interface FlatFeatureLists {
  /** One byte per row, 1 if the row has no `feature_lists` message. Undefined if every row has it. */
  readonly isNull: Uint8Array | undefined;
  readonly lists: readonly FlatFeatureList[];
}

/** The contents of a batch's records. */
export interface RecordFeatures {
  readonly numRows: number;
  /**
   * The `features` of a tf.Example or the `context` of a tf.SequenceExample. Both are field 1 of their message. An empty list
   * writes an empty message, as in tfx_bsl. Undefined writes no message.
   */
  readonly features: readonly FlatFeature[] | undefined;
  /** Absent for tf.Examples, which have no `feature_lists`. */
  readonly featureLists?: FlatFeatureLists | undefined;
}

/** Rows are written in blocks of this size, column by column, so that a block's output usually stays in the cache. */
const BLOCK_ROWS = 64;
// Tags: the field number times 8, plus 2 for a length-delimited field.
const FEATURES_TAG = 0x0a;
const FEATURE_LISTS_TAG = 0x12;
const ENTRY_TAG = 0x0a;
const STEP_TAG = 0x0a;
const utf8 = new TextEncoder();

/** The map entries for one key, in all rows. */
interface Entries {
  /** The serialized start of an entry: tag, length and bytes of the key, then the tag of the value. */
  readonly key: WordBytes;
  /** Size in bytes of each row's value, a Feature or FeatureList message. */
  readonly sizes: Int32Array;
  /** One byte per row, 1 if the key is missing. */
  readonly isNull: Uint8Array | undefined;
  /** The features of all rows or steps. */
  readonly feature: FeatureBytes;
  /** The steps of each row, as in {@link FlatFeatureList}. Undefined for a feature, which has no steps. */
  readonly stepSplits: Int32Array | undefined;
}

/** The map messages of all rows: either `features` or `feature_lists`. */
interface MapMessages {
  readonly tag: number;
  readonly entries: readonly Entries[];
  /** Size in bytes of each row's message, without tag and length. */
  readonly sizes: Float64Array;
  /** One byte per row, 1 if the message is absent. */
  readonly isNull: Uint8Array | undefined;
}

/**
 * Serializes one record per row. The records are views of one buffer, whose length is their total length. Every feature has an
 * entry in every row, and null becomes a feature without a kind. A feature list has an entry unless it is null. Numbers are
 * packed.
 *
 * The first pass computes sizes column by column. The second pass writes blocks of rows. Neither creates an object per value.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) if the records add up to 2^31 bytes or more. `not-convertible`
 *   (`cell-value`) for a name that is not valid Unicode.
 */
export function writeRecords({ numRows, features, featureLists }: RecordFeatures): readonly Uint8Array[] {
  const scratch: VarintScratch = { bytes: new Uint8Array(0) };
  const messages: MapMessages[] = [];
  if (features !== undefined) {
    const entries = features.map((feature) => featureEntries(feature, scratch));
    messages.push(measureMap(FEATURES_TAG, numRows, entries));
  }
  if (featureLists !== undefined) {
    const { lists, isNull } = featureLists;
    const entries = lists.map((list) => listEntries(list, scratch));
    messages.push(measureMap(FEATURE_LISTS_TAG, numRows, entries, isNull));
  }
  const ends = endsOf(messages, numRows);
  const target = wordBytes(new Uint8Array(ends[numRows - 1] ?? 0));
  const positions = new Int32Array(numRows);
  for (let row = 1; row < numRows; row++) positions[row] = ends[row - 1] as number;
  for (let first = 0; first < numRows; first += BLOCK_ROWS) {
    const end = Math.min(first + BLOCK_ROWS, numRows);
    for (const message of messages) {
      writeHeads(target, positions, message, first, end);
      for (const entries of message.entries) writeEntries(target, positions, entries, first, end);
    }
  }
  return Array.from(ends, (end, row) => target.bytes.subarray(row === 0 ? 0 : ends[row - 1], end));
}

/** Returns the end of each row's record in the buffer, in bytes. */
function endsOf(messages: readonly MapMessages[], numRows: number): Float64Array {
  const ends = new Float64Array(numRows);
  let total = 0;
  for (let row = 0; row < numRows; row++) {
    for (const { sizes, isNull } of messages) {
      if (isNull?.[row] !== 1) total += messageSize(sizes[row] as number);
    }
    ends[row] = total;
  }
  assertByteLength(total);
  return ends;
}

/** Returns the entries of a feature. Every row has an entry. */
function featureEntries(flat: FlatFeature, scratch: VarintScratch): Entries {
  const feature = featureBytes(flat, scratch);
  return { key: keyOf(flat.name), sizes: feature.sizes, isNull: undefined, feature, stepSplits: undefined };
}

/** Returns the entries of a feature list. The size of a row's value is the total size of its steps. */
function listEntries({ isNull, stepSplits, steps }: FlatFeatureList, scratch: VarintScratch): Entries {
  const feature = featureBytes(steps, scratch);
  const sizes = new Int32Array(stepSplits.length - 1);
  let total = 0;
  for (let row = 0; row < sizes.length; row++) {
    let size = 0;
    for (let step = stepSplits[row] as number; step < (stepSplits[row + 1] as number); step++) {
      size += messageSize(feature.sizes[step] as number);
    }
    total += size;
    assertByteLength(total);
    sizes[row] = size;
  }
  return { key: keyOf(steps.name), sizes, isNull, feature, stepSplits };
}

/** Measures one map message per row. The size of a message is the total size of the row's entries. */
function measureMap(
  tag: number,
  numRows: number,
  entries: readonly Entries[],
  isNull?: Uint8Array,
): MapMessages {
  const totals = new Float64Array(numRows);
  for (const { key, sizes, isNull: isMissing } of entries) {
    for (let row = 0; row < numRows; row++) {
      if (isMissing?.[row] === 1) continue;
      totals[row] = (totals[row] as number) + messageSize(entrySize(key, sizes[row] as number));
    }
  }
  return { tag, entries, sizes: totals, isNull };
}

/** Serializes the start of an entry. */
function keyOf(name: string): WordBytes {
  const nameBytes = utf8.encode(unicode(name, name));
  const key = new Uint8Array(2 + varintSize(nameBytes.length) + nameBytes.length);
  key[0] = 0x0a;
  key.set(nameBytes, writeVarint(key, 1, nameBytes.length));
  key[key.length - 1] = 0x12;
  return wordBytes(key);
}

/** Returns the total size in bytes of a message, its one-byte tag and its length prefix. `size` is the size of the message. */
function messageSize(size: number): number {
  return 1 + varintSize(size) + size;
}

/** Returns the size of an entry in bytes, without its own tag and length. */
function entrySize(key: WordBytes, value: number): number {
  return key.bytes.length + varintSize(value) + value;
}

/**
 * Writes the tag and length of each message for the rows `first` to `end` (exclusive). Advances `positions`, which holds the
 * position of the next byte to write in each row's record.
 */
function writeHeads(
  { bytes }: WordBytes,
  positions: Int32Array,
  { tag, sizes, isNull }: MapMessages,
  first: number,
  end: number,
): void {
  for (let row = first; row < end; row++) {
    if (isNull?.[row] === 1) continue;
    const at = positions[row] as number;
    bytes[at] = tag;
    positions[row] = writeVarint(bytes, at + 1, sizes[row] as number);
  }
}

/** Writes the entries of one key for the rows `first` to `end` (exclusive). Advances `positions`. */
function writeEntries(
  target: WordBytes,
  positions: Int32Array,
  { key, sizes, isNull, feature, stepSplits }: Entries,
  first: number,
  end: number,
): void {
  const { bytes } = target;
  const keySize = key.bytes.length;
  for (let row = first; row < end; row++) {
    if (isNull?.[row] === 1) continue;
    const size = sizes[row] as number;
    let at = positions[row] as number;
    bytes[at++] = ENTRY_TAG;
    at = writeVarint(bytes, at, entrySize(key, size));
    at = copyBytes(key, 0, keySize, target, at);
    positions[row] =
      stepSplits === undefined
        ? writeFeature(target, at, feature, row)
        : writeSteps(target, writeVarint(bytes, at, size), feature, stepSplits, row);
  }
}

/** Writes the steps of one row of a feature list. Returns the position after them. */
function writeSteps(
  target: WordBytes,
  position: number,
  steps: FeatureBytes,
  stepSplits: Int32Array,
  row: number,
): number {
  let at = position;
  for (let step = stepSplits[row] as number; step < (stepSplits[row + 1] as number); step++) {
    target.bytes[at++] = STEP_TAG;
    at = writeFeature(target, at, steps, step);
  }
  return at;
}
