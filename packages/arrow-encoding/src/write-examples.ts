import { ConversionError } from "@tfxio/wire";
import { FeatureKind } from "@tfxio/wire/kernels";
import { BytesColumn } from "./column-access-bytes.js";
import type { FlatFeature } from "./flat-features.js";

/** Bytes that one buffer of JavaScript is sure to hold, and a protobuf message at most has. */
const MAX_BYTES = 2 ** 31 - 1;
/** Up to here a loop over bytes beats a call of `set`. */
const SHORT_COPY = 24;
/** Rows that are written a column at a time: few enough that what is written stays in the cache. */
const BLOCK_ROWS = 64;

/** A feature with what its bytes are made of. All have one shape, so that the loops below stay monomorphic. */
interface Part {
  readonly kind: FlatFeature["kind"];
  readonly isNull: Uint8Array | undefined;
  readonly rowSplits: Int32Array;
  /** Tag, length and bytes of the name. */
  readonly key: Uint8Array;
  /** Bytes: those of all values. Float: the values, little-endian. */
  readonly data: Uint8Array;
  /** Bytes: where each value begins in `data`. */
  readonly offsets: Int32Array;
  /** int64: low and high half of each value. */
  readonly halves: Int32Array;
  /** Bytes of each row's values as they are packed, or with their tags and lengths for byte strings. */
  readonly sizes: Int32Array;
  /** Bytes of each row's Feature message: 0 where it has no kind. */
  readonly featureSizes: Int32Array;
}

const noBytes = new Uint8Array(0);
const noPositions = new Int32Array(0);
const utf8 = new TextEncoder();

/**
 * Serialized tf.Examples, one for each row, as views of one buffer that is exactly as long as they are. Every feature
 * is a key in every row; null has no kind. Numbers are packed.
 *
 * Lengths stand before what they measure, so a first pass over the columns sizes and a second one over the rows
 * writes; neither makes an object for a value.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) for 2^31 bytes or more.
 */
export function writeExamples(features: readonly FlatFeature[], numRows: number): readonly Uint8Array[] {
  const parts = features.map((feature) => partOf(feature, numRows));
  const messageSizes = new Float64Array(numRows);
  for (const part of parts) addEntrySizes(part, messageSizes);
  const ends = new Float64Array(numRows);
  let total = 0;
  for (let row = 0; row < numRows; row++) {
    const size = messageSizes[row] as number;
    if (parts.length > 0) total += 1 + varintSize(size) + size;
    ends[row] = total;
  }
  assertSize(total);
  const bytes = new Uint8Array(total);
  const positions = new Int32Array(numRows);
  for (let row = 0; row < numRows && parts.length > 0; row++) {
    const start = row === 0 ? 0 : (ends[row - 1] as number);
    bytes[start] = 0x0a;
    positions[row] = writeVarint(bytes, start + 1, messageSizes[row] as number);
  }
  for (let first = 0; first < numRows; first += BLOCK_ROWS) {
    const end = Math.min(first + BLOCK_ROWS, numRows);
    for (const part of parts) writeEntries(bytes, positions, part, first, end);
  }
  return Array.from(ends, (end, row) => bytes.subarray(row === 0 ? 0 : ends[row - 1], end));
}

function assertSize(numBytes: number): void {
  if (numBytes <= MAX_BYTES) return;
  throw new ConversionError("out-of-range", `The batch encodes to ${numBytes} bytes: make it smaller.`, {
    reason: "batch-too-large",
  });
}

function partOf(feature: FlatFeature, numRows: number): Part {
  const { name, kind, isNull, rowSplits, values } = feature;
  const nameBytes = utf8.encode(name);
  const key = new Uint8Array(1 + varintSize(nameBytes.length) + nameBytes.length);
  key[0] = 0x0a;
  key.set(nameBytes, writeVarint(key, 1, nameBytes.length));
  const part = {
    kind,
    isNull,
    rowSplits,
    key,
    data: noBytes,
    offsets: noPositions,
    halves: noPositions,
    sizes: new Int32Array(numRows),
    featureSizes: new Int32Array(numRows),
  };
  if (values instanceof BytesColumn) Object.assign(part, { data: values.data, offsets: values.offsets });
  else if (kind === FeatureKind.float) {
    part.data = new Uint8Array(values.buffer as ArrayBuffer, values.byteOffset, values.byteLength);
  } else {
    part.halves = new Int32Array(values.buffer as ArrayBuffer, values.byteOffset, values.length * 2);
  }
  measure(part);
  return part;
}

function measure({ kind, isNull, rowSplits, offsets, halves, sizes, featureSizes }: Part): void {
  let total = 0;
  for (let row = 0; row < sizes.length; row++) {
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
    const list = listSize(kind, size);
    const feature = isNull?.[row] === 1 ? 0 : 1 + varintSize(list) + list;
    total += feature;
    assertSize(total);
    sizes[row] = size;
    featureSizes[row] = feature;
  }
}

/** Size of the list message: packed numbers have a tag and a length, unless there are none. */
function listSize(kind: FlatFeature["kind"], size: number): number {
  return kind === FeatureKind.bytes || size === 0 ? size : 1 + varintSize(size) + size;
}

function entrySize(keySize: number, feature: number): number {
  return keySize + 1 + varintSize(feature) + feature;
}

function addEntrySizes({ key, featureSizes }: Part, messageSizes: Float64Array): void {
  for (let row = 0; row < messageSizes.length; row++) {
    const entry = entrySize(key.length, featureSizes[row] as number);
    messageSizes[row] = (messageSizes[row] as number) + 1 + varintSize(entry) + entry;
  }
}

/** One feature of rows `first` to `end` (exclusive), each at its position, which moves behind what is written. */
function writeEntries(
  bytes: Uint8Array,
  positions: Int32Array,
  part: Part,
  first: number,
  end: number,
): void {
  const { key, kind, sizes, featureSizes } = part;
  const keySize = key.length;
  for (let row = first; row < end; row++) {
    const feature = featureSizes[row] as number;
    let at = positions[row] as number;
    bytes[at++] = 0x0a;
    at = writeVarint(bytes, at, entrySize(keySize, feature));
    at = copy(key, 0, keySize, bytes, at);
    bytes[at++] = 0x12;
    at = writeVarint(bytes, at, feature);
    if (feature > 0) {
      bytes[at++] = (kind << 3) | 2;
      at = writeVarint(bytes, at, listSize(kind, sizes[row] as number));
      at = writeValues(bytes, at, part, row);
    }
    positions[row] = at;
  }
}

function writeValues(bytes: Uint8Array, position: number, part: Part, row: number): number {
  const { kind, rowSplits, data, offsets, halves, sizes } = part;
  const start = rowSplits[row] as number;
  const end = rowSplits[row + 1] as number;
  let at = position;
  if (kind === FeatureKind.bytes) {
    for (let i = start; i < end; i++) {
      const from = offsets[i] as number;
      const to = offsets[i + 1] as number;
      bytes[at++] = 0x0a;
      at = writeVarint(bytes, at, to - from);
      at = copy(data, from, to, bytes, at);
    }
    return at;
  }
  if (start === end) return at;
  bytes[at++] = 0x0a;
  at = writeVarint(bytes, at, sizes[row] as number);
  if (kind === FeatureKind.float) return copy(data, start * 4, end * 4, bytes, at);
  for (let i = start; i < end; i++) {
    at = writeVarint64(bytes, at, halves[2 * i] as number, halves[2 * i + 1] as number);
  }
  return at;
}

function copy(source: Uint8Array, from: number, to: number, target: Uint8Array, at: number): number {
  if (to - from > SHORT_COPY) target.set(source.subarray(from, to), at);
  else for (let i = from, j = at; i < to; i++, j++) target[j] = source[i] as number;
  return at + to - from;
}

/** Bytes of a length as a varint. Lengths beyond 32 bits are never written: the batch is refused before. */
function varintSize(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
}

function varint64Size(low: number, high: number): number {
  if (high === 0) return varintSize(low >>> 0);
  return Math.ceil((64 - Math.clz32(high)) / 7);
}

function writeVarint(bytes: Uint8Array, position: number, value: number): number {
  let at = position;
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
  bytes[at++] = rest;
  return at;
}

function writeVarint64(bytes: Uint8Array, position: number, low: number, high: number): number {
  let at = position;
  let lower = low >>> 0;
  let upper = high >>> 0;
  while (upper !== 0) {
    bytes[at++] = (lower & 0x7f) | 0x80;
    lower = ((lower >>> 7) | (upper << 25)) >>> 0;
    upper >>>= 7;
  }
  return writeVarint(bytes, at, lower);
}
