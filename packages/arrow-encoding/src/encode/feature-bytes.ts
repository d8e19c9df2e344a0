import { ConversionError } from "@tfxio/wire";
import { arrayKernels, ArrayStatus, FeatureKind } from "@tfxio/wire/kernels";
import { BytesColumn } from "../column/column-access-bytes.js";
import { copyBytes, type WordBytes, wordBytes } from "./copy-bytes.js";
import type { FlatFeature } from "./flat-features.js";
import { varintSize, writeVarint } from "./varint-bytes.js";

/** Largest size of a serialized protobuf message in bytes. */
const MAX_BYTES = 2 ** 31 - 1;
/** Length of the longest varint of an int64, in bytes. Negative values have this length. */
const MAX_VARINT_BYTES = 10;

/**
 * A single feature, for all rows or steps, with everything needed to write its Feature messages. All kinds share one object
 * shape, so that loops over them stay monomorphic.
 */
export interface FeatureBytes {
  readonly kind: FlatFeature["kind"];
  /** The values of all rows: concatenated byte strings, or packed numbers. */
  readonly data: WordBytes;
  /** int32, length `numRows + 1`: start of each row. For bytes, an index in `offsets`; for numbers, a byte index in `data`. */
  readonly splits: Int32Array;
  /** For bytes, the start of each value in `data`, followed by the end of the last. Empty for numbers. */
  readonly offsets: Int32Array;
  /** Size of each row's values in bytes: packed numbers, or byte strings with their tags and lengths. */
  readonly valueSizes: Int32Array;
  /** Size of each row's Feature message in bytes; 0 for a null row, whose message is empty. */
  readonly sizes: Int32Array;
}

const noPositions = new Int32Array(0);

/** Reusable memory for varints, whose total size is known only after they are written. */
export interface VarintScratch {
  bytes: Uint8Array;
}

/**
 * Packs the values of a feature and computes its sizes. The sizes must be known before writing, because a length precedes its
 * content.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) if the values may take 2^31 bytes or more, counting 10 bytes for
 *   each int64.
 */
export function featureBytes(feature: FlatFeature, scratch: VarintScratch): FeatureBytes {
  const numRows = feature.rowSplits.length - 1;
  const result: FeatureBytes = {
    kind: feature.kind,
    ...valueBytes(feature, scratch),
    valueSizes: new Int32Array(numRows),
    sizes: new Int32Array(numRows),
  };
  if (feature.kind === FeatureKind.bytes) measureByteStrings(result);
  else measureNumbers(result);
  measureMessages(result, feature.isNull);
  return result;
}

/** Borrows byte strings and floats, and encodes integers as varints. Floats are little-endian, as protobuf requires. */
function valueBytes(
  { kind, rowSplits, values }: FlatFeature,
  scratch: VarintScratch,
): Pick<FeatureBytes, "data" | "splits" | "offsets"> {
  if (values instanceof BytesColumn) {
    return { data: wordBytes(values.data), splits: rowSplits, offsets: values.offsets };
  }
  if (kind === FeatureKind.float) {
    assertByteLength(values.byteLength);
    return { data: wordBytes(values), splits: rowSplits.map((split) => split * 4), offsets: noPositions };
  }
  const most = values.length * MAX_VARINT_BYTES;
  assertByteLength(most);
  if (scratch.bytes.length < most) scratch.bytes = new Uint8Array(most);
  const splits = new Int32Array(rowSplits.length);
  const status = arrayKernels().encodeVarints(values as BigInt64Array, rowSplits, scratch.bytes, splits);
  if (status !== ArrayStatus.ok) throw tooLarge(most);
  const packed = scratch.bytes.slice(0, splits[splits.length - 1]);
  return { data: wordBytes(packed), splits, offsets: noPositions };
}

/**
 * Checks that `numBytes` is at most 2^31 - 1.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`).
 */
export function assertByteLength(numBytes: number): void {
  if (numBytes > MAX_BYTES) throw tooLarge(numBytes);
}

function tooLarge(numBytes: number): ConversionError {
  return new ConversionError(
    "out-of-range",
    `An encoded batch must have at most ${MAX_BYTES} bytes, but may need ${numBytes}; use smaller batches.`,
    {
      reason: "batch-too-large",
    },
  );
}

/** Sets the size of each row's packed numbers. */
function measureNumbers({ splits, valueSizes }: FeatureBytes): void {
  for (let row = 0; row < valueSizes.length; row++) {
    valueSizes[row] = (splits[row + 1] as number) - (splits[row] as number);
  }
}

/** Sets the size of each row's byte strings, each with a tag of one byte and its length. */
function measureByteStrings({ splits, offsets, valueSizes }: FeatureBytes): void {
  let total = 0;
  for (let row = 0; row < valueSizes.length; row++) {
    let size = 0;
    for (let i = splits[row] as number; i < (splits[row + 1] as number); i++) {
      const length = (offsets[i + 1] as number) - (offsets[i] as number);
      size += 1 + varintSize(length) + length;
    }
    total += size;
    assertByteLength(total);
    valueSizes[row] = size;
  }
}

/** Sets the size of each Feature message. The message contains the list's tag, length and content. A null row keeps size 0. */
function measureMessages({ kind, valueSizes, sizes }: FeatureBytes, isNull: Uint8Array | undefined): void {
  for (let row = 0; row < sizes.length; row++) {
    if (isNull?.[row] === 1) continue;
    const list = listSize(kind, valueSizes[row] as number);
    sizes[row] = 1 + varintSize(list) + list;
  }
}

/** Returns the size of the list message in bytes. Packed numbers have a tag and a length, unless the list is empty. */
function listSize(kind: FlatFeature["kind"], values: number): number {
  return kind === FeatureKind.bytes || values === 0 ? values : 1 + varintSize(values) + values;
}

/** Writes the Feature message of a row, preceded by its length. Returns the position after it. */
export function writeFeature(
  target: WordBytes,
  position: number,
  feature: FeatureBytes,
  row: number,
): number {
  const { kind, data, splits, offsets, valueSizes, sizes } = feature;
  const { bytes } = target;
  const size = sizes[row] as number;
  let at = writeVarint(bytes, position, size);
  if (size === 0) return at;
  const values = valueSizes[row] as number;
  bytes[at++] = (kind << 3) | 2;
  at = writeVarint(bytes, at, listSize(kind, values));
  if (values === 0) return at;
  const start = splits[row] as number;
  const end = splits[row + 1] as number;
  if (kind !== FeatureKind.bytes) {
    bytes[at++] = 0x0a;
    return copyBytes(data, start, end, target, writeVarint(bytes, at, values));
  }
  for (let i = start; i < end; i++) {
    const from = offsets[i] as number;
    const to = offsets[i + 1] as number;
    bytes[at++] = 0x0a;
    at = copyBytes(data, from, to, target, writeVarint(bytes, at, to - from));
  }
  return at;
}
