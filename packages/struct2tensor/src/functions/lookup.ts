import { BytesColumn, murmur3 } from "@tfxio/arrow-encoding";
import type { DType } from "@tfxio/tensor-adapter";
import { unusableArgument } from "@tfxio/wire/checks";
import type { Json } from "../expression/json.js";
import { bytesFromJson, numberFromJson } from "./constants.js";
import { isBig, isNumber, type TypedValues, type ValueFunctionSpec } from "./value-function.js";

/**
 * Returns a function that gives the `Map` key of the value at an index. Numbers are their own keys. The key of bytes is a string
 * with one code unit per byte.
 */
function keysOf({ values }: TypedValues): (index: number) => number | bigint | string {
  if (values instanceof BytesColumn) return (index) => keyOfBytes(values.get(index));
  const numbers = values as unknown as ArrayLike<number | bigint>;
  return (index) => numbers[index]!;
}

function keyOfBytes(value: Uint8Array): string {
  let key = "";
  for (const byte of value) key += String.fromCharCode(byte);
  return key;
}

/** Returns the key of a term in a field of this type. @throws {ArgumentError} `invalid-argument` if the term does not fit. */
function keyOfTerm(term: Json, dtype: DType): number | bigint | string {
  return dtype === "string" ? keyOfBytes(bytesFromJson(term)) : numberFromJson(term, dtype);
}

/**
 * Returns the bucket of a byte string, as in Apache Iceberg's bucket transform: MurmurHash3_x86_32 with seed 0 and the sign bit
 * cleared, modulo `numBuckets`.
 */
function bucketOf({ data, offsets }: BytesColumn, index: number, numBuckets: number): number {
  return (murmur3(data, offsets[index]!, offsets[index + 1]!, 0) & 0x7fffffff) % numBuckets;
}

/**
 * Ids of the terms of each vocabulary, keyed by its list of terms and then by the type of the field. The ids live as long as the
 * list, which is part of a query.
 */
const idsOfTerms = new WeakMap<readonly Json[], Map<DType, ReadonlyMap<number | bigint | string, bigint>>>();

function idsOf(terms: readonly Json[], dtype: DType): ReadonlyMap<number | bigint | string, bigint> {
  const known = idsOfTerms.get(terms) ?? new Map();
  idsOfTerms.set(terms, known);
  const ids = known.get(dtype) ?? new Map(terms.map((term, id) => [keyOfTerm(term, dtype), BigInt(id)]));
  known.set(dtype, ids);
  return ids;
}

/** Maps each term to its index in the list. Other values map to an out-of-vocabulary bucket or to the default id. */
const vocabulary: ValueFunctionSpec = {
  takes: "bytes or integers",
  numInputs: () => 1,
  resultType: ([dtype]) =>
    dtype === "string" || (dtype !== undefined && isNumber(dtype) && !dtype.startsWith("float"))
      ? "int64"
      : undefined,
  assertConstants: (dtype, [terms]) => {
    const indices = new Map<number | bigint | string, number>();
    for (const [index, term] of (terms as readonly Json[]).entries()) {
      const key = keyOfTerm(term, dtype);
      const first = indices.get(key);
      if (first !== undefined) {
        throw unusableArgument("terms", `must not repeat terms[${first}], found ${JSON.stringify(term)}`, {
          at: `[${index}]`,
        });
      }
      indices.set(key, index);
    }
  },
  apply: ([input], [terms, defaultId, numOovBuckets], length) => {
    const { dtype, values } = input!;
    const list = terms as readonly Json[];
    const ids = idsOf(list, dtype);
    const numBuckets = numOovBuckets as number;
    const keyAt = keysOf(input!);
    const result = new BigInt64Array(length);
    for (let index = 0; index < length; index++) {
      const missing = (): bigint =>
        numBuckets > 0 && values instanceof BytesColumn
          ? BigInt(list.length + bucketOf(values, index, numBuckets))
          : BigInt(defaultId as number);
      result[index] = ids.get(keyAt(index)) ?? missing();
    }
    return result;
  },
};

const hash: ValueFunctionSpec = {
  takes: "bytes",
  numInputs: () => 1,
  resultType: ([dtype]) => (dtype === "string" ? "int64" : undefined),
  apply: ([input], [numBuckets], length) => {
    const values = input!.values as BytesColumn;
    const result = new BigInt64Array(length);
    for (let index = 0; index < length; index++) {
      result[index] = BigInt(bucketOf(values, index, numBuckets as number));
    }
    return result;
  },
};

/**
 * Counts the boundaries at or below each number. If the numbers are 64-bit integers, boundaries that are safe integers become
 * bigints.
 */
const bucketize: ValueFunctionSpec = {
  takes: "numbers",
  numInputs: () => 1,
  resultType: ([dtype]) => (dtype !== undefined && isNumber(dtype) ? "int32" : undefined),
  apply: ([input], [boundaries], length) => {
    const { dtype, values } = input!;
    const list = (boundaries as readonly number[]).map((boundary) =>
      isBig(dtype) && Number.isSafeInteger(boundary) ? BigInt(boundary) : boundary,
    );
    const numbers = values as unknown as ArrayLike<number | bigint>;
    return Int32Array.from({ length }, (_, index) => countBelow(list, numbers[index]!));
  },
};

/** Counts the boundaries at or below the value, by bisection. NaN sorts last, so all boundaries are below it. */
function countBelow(boundaries: readonly (number | bigint)[], value: number | bigint): number {
  let low = 0;
  let high = boundaries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value < boundaries[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The functions that map values to ids or buckets, keyed by name. */
export const lookup: Readonly<Record<string, ValueFunctionSpec>> = { vocabulary, hash, bucketize };
