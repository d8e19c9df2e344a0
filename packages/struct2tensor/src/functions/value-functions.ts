import type { DType } from "@tfxio/tensor-adapter";
import {
  aList,
  anInteger,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  invalidArgument,
} from "@tfxio/wire/checks";
import { aCastType } from "./cast.js";
import { constantToJson } from "./constants.js";
import type { Constant, ValueFunction } from "./value-function.js";

/** Options of `valueFunctions.vocabulary`, for values outside the vocabulary. */
export interface VocabularyOptions {
  /** Id of each value that is outside the vocabulary and gets no bucket. Default -1. */
  readonly defaultId?: number | undefined;
  /**
   * Number of buckets for byte strings outside the vocabulary. The ids of the buckets follow the id of the last term. Default 0:
   * these strings get `defaultId`.
   */
  readonly numOovBuckets?: number | undefined;
}

/** Creates a function of one field and a constant, or of two fields if no constant is given. */
type Binary<Operand extends Constant> = (constant?: Operand) => ValueFunction;

function binary<Operand extends Constant>(name: string): Binary<Operand> {
  return (constant) => ({ name, args: constant === undefined ? [] : [constantToJson(constant)] });
}

function unary(name: string): () => ValueFunction {
  return () => ({ name, args: [] });
}

/**
 * Built-in functions of values. Unlike callbacks, they can be saved. The second operand of a binary function is the constant, if
 * one is given, otherwise a second field. Two fields must have the same type; `cast` one of them if they differ.
 */
export const valueFunctions: {
  /** Sum. Integers wrap. */
  readonly add: Binary<number | bigint>;
  /** First operand minus the second. Integers wrap. */
  readonly subtract: Binary<number | bigint>;
  /** Product. Integers wrap. */
  readonly multiply: Binary<number | bigint>;
  /** Quotient. Floats only. */
  readonly divide: Binary<number>;
  /** Quotient, rounded down. Integers only. A divisor of 0 throws `not-convertible` (`division-by-zero`). */
  readonly floorDivide: Binary<number | bigint>;
  /** Remainder, with the sign of the divisor. Integers only. A divisor of 0 throws `not-convertible` (`division-by-zero`). */
  readonly mod: Binary<number | bigint>;
  /** Lower operand. */
  readonly minimum: Binary<number | bigint>;
  /** Higher operand. */
  readonly maximum: Binary<number | bigint>;
  readonly negate: () => ValueFunction;
  readonly abs: () => ValueFunction;
  /**
   * True if the values are equal. Like the five comparisons below, it takes numbers, bools or bytes, and returns bools. Bytes are
   * compared as unsigned values. NaN is unequal to everything. Constants keep float64 precision, so no float32 value equals 0.1.
   * Compare with `Math.fround(0.1)` instead.
   */
  readonly equal: Binary<Constant>;
  readonly notEqual: Binary<Constant>;
  readonly less: Binary<Constant>;
  readonly lessEqual: Binary<Constant>;
  readonly greater: Binary<Constant>;
  readonly greaterEqual: Binary<Constant>;
  /** True if both bools are true. */
  readonly and: () => ValueFunction;
  /** True if at least one of two bools is true. */
  readonly or: () => ValueFunction;
  /** True if exactly one of two bools is true. */
  readonly xor: () => ValueFunction;
  readonly not: () => ValueFunction;
  /** Converts numbers and bools to another type. A number that does not fit an integer type throws `out-of-range` (`cast`). */
  readonly cast: (dtype: DType) => ValueFunction;
  /** Number of bytes in each byte string, as an int32. */
  readonly length: () => ValueFunction;
  /** Converts ASCII letters to upper case. Other bytes stay as they are. */
  readonly upper: () => ValueFunction;
  /** Converts ASCII letters to lower case. Other bytes stay as they are. */
  readonly lower: () => ValueFunction;
  /** At most `length` bytes from `begin`. A negative `begin` counts from the end. Without `length`, all remaining bytes. */
  readonly substring: (begin: number, length?: number) => ValueFunction;
  /**
   * Bucket of each byte string, as an int64 in `[0, numBuckets)`. The hash is MurmurHash3_x86_32, as in Apache Iceberg's bucket
   * transform.
   */
  readonly hash: (numBuckets: number) => ValueFunction;
  /**
   * Position of each value in a list of distinct terms, as an int64. The values are byte strings or integers. `options` decide
   * the id of a value that is not in the list.
   */
  readonly vocabulary: (terms: readonly Constant[], options?: VocabularyOptions) => ValueFunction;
  /**
   * Number of boundaries at or below each number, as an int32. Boundaries must be finite, and each must exceed the one before.
   * @see tf.raw_ops.Bucketize
   */
  readonly bucketize: (boundaries: readonly number[]) => ValueFunction;
} = {
  add: binary("add"),
  subtract: binary("subtract"),
  multiply: binary("multiply"),
  divide: binary("divide"),
  floorDivide: binary("floorDivide"),
  mod: binary("mod"),
  minimum: binary("minimum"),
  maximum: binary("maximum"),
  negate: unary("negate"),
  abs: unary("abs"),
  equal: binary("equal"),
  notEqual: binary("notEqual"),
  less: binary("less"),
  lessEqual: binary("lessEqual"),
  greater: binary("greater"),
  greaterEqual: binary("greaterEqual"),
  and: unary("and"),
  or: unary("or"),
  xor: unary("xor"),
  not: unary("not"),
  cast: (dtype) => {
    assertArgument("dtype", dtype, aCastType);
    return { name: "cast", args: [dtype] };
  },
  length: unary("length"),
  upper: unary("upper"),
  lower: unary("lower"),
  substring: (begin, length) => {
    assertArgument("begin", begin, anInteger(Number.MIN_SAFE_INTEGER));
    if (length !== undefined) assertArgument("length", length, anInteger(0));
    return { name: "substring", args: [begin, length ?? null] };
  },
  hash: (numBuckets) => {
    assertArgument("numBuckets", numBuckets, aPositiveInteger);
    return { name: "hash", args: [numBuckets] };
  },
  vocabulary: (terms, options = {}) => {
    assertArgument("terms", terms, aList);
    assertOptions("vocabulary", options, {
      defaultId: anInteger(Number.MIN_SAFE_INTEGER),
      numOovBuckets: anInteger(0),
    });
    const { defaultId = -1, numOovBuckets = 0 } = options;
    return {
      name: "vocabulary",
      args: [terms.map((term) => constantToJson(term)), defaultId, numOovBuckets],
    };
  },
  bucketize: (boundaries) => {
    assertArgument("boundaries", boundaries, aList);
    const invalid = boundaries.findIndex(
      (boundary, index) => !Number.isFinite(boundary) || (index > 0 && boundary <= boundaries[index - 1]!),
    );
    if (invalid !== -1) {
      const above = invalid === 0 ? "" : ` above boundaries[${invalid - 1}] (${boundaries[invalid - 1]})`;
      throw invalidArgument("boundaries", `a finite number${above}`, boundaries[invalid], {
        at: `[${invalid}]`,
      });
    }
    return { name: "bucketize", args: [[...boundaries]] };
  },
};
