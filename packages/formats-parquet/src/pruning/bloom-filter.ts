import type { PredicateValue } from "@tfxio/schema";
import { RecordError } from "@tfxio/wire";
import { readThrift } from "../footer/read-thrift.js";
import { integerOf, structOf, type ThriftStruct } from "../footer/thrift.js";
import { xxHash64 } from "./xx-hash-64.js";

/** Field ids of BloomFilterHeader. Each of its unions has a single member. @see parquet-format `parquet.thrift` */
const HEADER = { numBytes: 1, algorithm: 2, hash: 3, compression: 4 } as const;
const ONLY_MEMBER = 1;

const BLOCK_BYTES = 32;
/** Factors that choose the bit of each word in a block. @see parquet-format `BloomFilter.md`, "Technical Approach" */
const SALTS = Uint32Array.of(
  0x47b6137b,
  0x44974d91,
  0x8824ad5b,
  0xa2b7289d,
  0x705495c7,
  0x2df1424b,
  0x9efc4947,
  0x5c6bfb31,
);

/** A split-block bloom filter over the values of a column chunk. */
export interface BloomFilter {
  /** Returns false only if no value in the chunk has the plain encoding `plain`. */
  mayContain(plain: Uint8Array): boolean;
}

/**
 * Parses the filter in `bytes`, which it borrows. Returns undefined for an unknown algorithm, hash or compression.
 * @throws {RecordError} `corrupt-record` (`bloom-filter`).
 */
export function parseBloomFilter(
  bytes: Uint8Array,
  uri: string,
  byteOffset: number,
): BloomFilter | undefined {
  const damaged = (found: string, cause?: unknown): RecordError =>
    new RecordError("corrupt-record", `${uri}: the bloom filter at byte ${byteOffset} ${found}.`, {
      reason: "bloom-filter",
      uri,
      byteOffset,
      cause,
    });
  let header: { readonly struct: ThriftStruct; readonly end: number };
  try {
    header = readThrift(bytes);
  } catch (cause) {
    throw damaged("does not begin with a header", cause);
  }
  const { struct, end } = header;
  const isKnown = [HEADER.algorithm, HEADER.hash, HEADER.compression].every((id) =>
    structOf(struct.get(id))?.has(ONLY_MEMBER),
  );
  if (!isKnown) return undefined;
  const numBytes = integerOf(struct.get(HEADER.numBytes)) ?? -1;
  if (numBytes < BLOCK_BYTES || numBytes % BLOCK_BYTES !== 0 || numBytes > bytes.length - end) {
    throw damaged(
      `declares ${numBytes} bytes (${bytes.length - end} are left), expected a positive multiple of ${BLOCK_BYTES} that fits`,
    );
  }
  const bits = new DataView(bytes.buffer, bytes.byteOffset + end, numBytes);
  return { mayContain: (plain) => hasHash(bits, xxHash64(plain)) };
}

function hasHash(bits: DataView, hash: bigint): boolean {
  const numBlocks = BigInt(bits.byteLength / BLOCK_BYTES);
  const block = Number(((hash >> 32n) * numBlocks) >> 32n) * BLOCK_BYTES;
  const low = Number(hash & 0xffff_ffffn);
  return SALTS.every((salt, word) => {
    const bit = Math.imul(low, salt) >>> 27;
    return ((bits.getUint32(block + 4 * word, true) >>> bit) & 1) === 1;
  });
}

/** The form in which a column stores its values: numbers of a type and width, or bytes. */
export type PlainForm = "int32" | "uint32" | "int64" | "uint64" | "float" | "double" | "bytes";

/**
 * Returns the plain encoding of a value. Returns undefined if the column cannot store the value exactly, or may store equal
 * values as different bytes.
 */
export function plainBytes(value: PredicateValue, form: PlainForm): Uint8Array | undefined {
  if (form === "bytes") {
    if (typeof value === "string") return new TextEncoder().encode(value);
    return value instanceof Uint8Array ? value : undefined;
  }
  if (typeof value !== "number" && typeof value !== "bigint") return undefined;
  const isNarrow = form === "int32" || form === "uint32" || form === "float";
  const bytes = new Uint8Array(isNarrow ? 4 : 8);
  const view = new DataView(bytes.buffer);
  if (form === "float" || form === "double") {
    const number = Number(value);
    // 0 and -0 are equal but have different bytes, and NaN equals nothing.
    if (number === 0 || Number.isNaN(number)) return undefined;
    if (form === "float") view.setFloat32(0, number, true);
    else view.setFloat64(0, number, true);
    const stored = form === "float" ? view.getFloat32(0, true) : number;
    // oxlint-disable-next-line eqeqeq -- a number and a bigint are equal if their mathematical values are
    return stored == value ? bytes : undefined;
  }
  if (typeof value === "number" && !Number.isInteger(value)) return undefined;
  const integer = BigInt(value);
  const bits = isNarrow ? 32 : 64;
  const isSigned = form === "int32" || form === "int64";
  if ((isSigned ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer)) !== integer) return undefined;
  if (isNarrow) view.setUint32(0, Number(BigInt.asUintN(32, integer)), true);
  else view.setBigInt64(0, integer, true);
  return bytes;
}
