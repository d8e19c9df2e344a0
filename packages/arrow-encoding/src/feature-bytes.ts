import { ConversionError } from "@tfxio/wire";
import { FeatureKind } from "@tfxio/wire/kernels";
import { BytesColumn } from "./column-access-bytes.js";
import { copyBytes, type WordBytes, wordBytes } from "./copy-bytes.js";
import type { FlatFeature } from "./flat-features.js";
import { varint64Size, varintSize, writeVarint, writeVarint64 } from "./varint-bytes.js";

/** Bytes that one buffer of JavaScript is sure to hold, and a protobuf message at most has. */
const MAX_BYTES = 2 ** 31 - 1;

/**
 * A feature of every row, or of every step of a list, with what its Feature messages are made of. All have one shape,
 * so that the loops over them stay monomorphic.
 */
export interface FeatureBytes {
  readonly kind: FlatFeature["kind"];
  readonly rowSplits: Int32Array;
  /** Bytes: those of all values. Float: the values, little-endian. */
  readonly data: WordBytes;
  /** Bytes: where each value begins in `data`. */
  readonly offsets: Int32Array;
  /** int64: low and high half of each value. */
  readonly halves: Int32Array;
  /** Bytes of the values as they are packed, or with their tags and lengths for byte strings. */
  readonly valueSizes: Int32Array;
  /** Bytes of the Feature message: 0 where it has no kind. */
  readonly sizes: Int32Array;
}

const noBytes = wordBytes(new Uint8Array(0));
const noPositions = new Int32Array(0);

/**
 * A feature, measured, since lengths stand before what they measure.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) for 2^31 bytes or more.
 */
export function featureBytes({ kind, isNull, rowSplits, values }: FlatFeature): FeatureBytes {
  const numRows = rowSplits.length - 1;
  const areBytes = values instanceof BytesColumn;
  const areFloats = kind === FeatureKind.float;
  const feature: FeatureBytes = {
    kind,
    rowSplits,
    data: areBytes ? wordBytes(values.data) : areFloats ? wordBytes(values) : noBytes,
    offsets: areBytes ? values.offsets : noPositions,
    halves:
      areBytes || areFloats
        ? noPositions
        : new Int32Array(values.buffer, values.byteOffset, values.length * 2),
    valueSizes: new Int32Array(numRows),
    sizes: new Int32Array(numRows),
  };
  measureValues(feature);
  measureMessages(feature, isNull);
  return feature;
}

/** @throws {ConversionError} `out-of-range` (`batch-too-large`). */
export function assertByteLength(numBytes: number): void {
  if (numBytes <= MAX_BYTES) return;
  throw new ConversionError("out-of-range", `The batch encodes to ${numBytes} bytes: make it smaller.`, {
    reason: "batch-too-large",
  });
}

function measureValues({ kind, rowSplits, offsets, halves, valueSizes }: FeatureBytes): void {
  let total = 0;
  for (let row = 0; row < valueSizes.length; row++) {
    const start = rowSplits[row] as number;
    const end = rowSplits[row + 1] as number;
    let size = 0;
    if (kind === FeatureKind.float) size = (end - start) * 4;
    else if (kind === FeatureKind.int64) {
      for (let i = start; i < end; i++) {
        size += varint64Size(halves[2 * i] as number, halves[2 * i + 1] as number);
      }
    } else {
      for (let i = start; i < end; i++) {
        const length = (offsets[i + 1] as number) - (offsets[i] as number);
        size += 1 + varintSize(length) + length;
      }
    }
    total += size;
    assertByteLength(total);
    valueSizes[row] = size;
  }
}

function measureMessages({ kind, valueSizes, sizes }: FeatureBytes, isNull: Uint8Array | undefined): void {
  for (let row = 0; row < sizes.length; row++) {
    if (isNull?.[row] === 1) continue;
    const list = listSize(kind, valueSizes[row] as number);
    sizes[row] = 1 + varintSize(list) + list;
  }
}

/** Size of the list message: packed numbers have a tag and a length, unless there are none. */
function listSize(kind: FlatFeature["kind"], values: number): number {
  return kind === FeatureKind.bytes || values === 0 ? values : 1 + varintSize(values) + values;
}

/** Writes the Feature message of a row, its length before it; the result is the position behind it. */
export function writeFeature(
  target: WordBytes,
  position: number,
  feature: FeatureBytes,
  row: number,
): number {
  const { kind, rowSplits, data, valueSizes, sizes } = feature;
  const { bytes } = target;
  const size = sizes[row] as number;
  let at = writeVarint(bytes, position, size);
  if (size === 0) return at;
  const values = valueSizes[row] as number;
  bytes[at++] = (kind << 3) | 2;
  at = writeVarint(bytes, at, listSize(kind, values));
  const start = rowSplits[row] as number;
  const end = rowSplits[row + 1] as number;
  if (kind === FeatureKind.bytes) return writeByteStrings(target, at, feature, start, end);
  if (start === end) return at;
  bytes[at++] = 0x0a;
  at = writeVarint(bytes, at, values);
  return kind === FeatureKind.float
    ? copyBytes(data, start * 4, end * 4, target, at)
    : writeIntegers(bytes, at, feature.halves, start, end);
}

function writeByteStrings(
  target: WordBytes,
  position: number,
  { data, offsets }: FeatureBytes,
  start: number,
  end: number,
): number {
  const { bytes } = target;
  let at = position;
  for (let i = start; i < end; i++) {
    const from = offsets[i] as number;
    const to = offsets[i + 1] as number;
    bytes[at++] = 0x0a;
    at = copyBytes(data, from, to, target, writeVarint(bytes, at, to - from));
  }
  return at;
}

function writeIntegers(
  bytes: Uint8Array,
  position: number,
  halves: Int32Array,
  start: number,
  end: number,
): number {
  let at = position;
  for (let i = start; i < end; i++) {
    const low = halves[2 * i] as number;
    const high = halves[2 * i + 1] as number;
    at = high === 0 ? writeVarint(bytes, at, low >>> 0) : writeVarint64(bytes, at, low, high);
  }
  return at;
}
