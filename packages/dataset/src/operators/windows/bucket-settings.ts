import { ArgumentError } from "@tfxio/wire";
import {
  aBoolean,
  aFunction,
  aListOf,
  anInteger,
  aPositiveInteger,
  assertOptions,
  describeValue,
  required,
  rule,
} from "@tfxio/wire/checks";
import type { BucketOptions } from "../../dataset-options.js";
import { paddedComponents } from "../../batchers/padded-components.js";
import type { Plan } from "../../plan.js";
import { batchPlan } from "../batching/batch.js";
import { batchWithPlan } from "../batching/batch-with.js";
import type { GroupKey, GroupSettings } from "./group-by-window.js";

const ascendingLengths = rule("a list of ascending integers of at least 0, without duplicates", (value) => {
  if (!Array.isArray(value) || !value.every(anInteger(0).holds)) return false;
  return value.every((boundary, index) => index === 0 || boundary > value[index - 1]);
});

/**
 * Checks the options of `bucketBySequenceLength`. Returns the settings for the groups. The key of an element is the number of its
 * bucket.
 * @throws {ArgumentError} `invalid-argument` for invalid options.
 */
export function bucketSettings<T>(options: BucketOptions<T>): Pick<GroupSettings, "keyOf" | "sizeOf"> & {
  readonly reduce: (bucket: number, group: Plan) => Plan;
} {
  assertOptions("bucketBySequenceLength", options, {
    length: required(aFunction),
    boundaries: required(ascendingLengths),
    batchSizes: required(aListOf("a list of positive integers", aPositiveInteger)),
    padToBoundary: aBoolean,
    noPadding: aBoolean,
    dropRemainder: aBoolean,
    shapes: null,
    values: null,
  });
  const { length, boundaries, batchSizes, padToBoundary = false, noPadding = false } = options;
  const { dropRemainder = false, shapes, values } = options;
  if (batchSizes.length !== boundaries.length + 1) {
    throw new ArgumentError(
      "invalid-argument",
      `bucketBySequenceLength: batchSizes must have length ${boundaries.length + 1}, one more than boundaries, ` +
        `found length ${batchSizes.length}.`,
      { argument: "batchSizes" },
    );
  }
  if (padToBoundary && !noPadding && boundaries.length === 0) {
    throw new ArgumentError(
      "invalid-argument",
      "bucketBySequenceLength: padToBoundary needs at least one boundary.",
      {
        argument: "boundaries",
      },
    );
  }
  return {
    keyOf: (element: never) => bucketOf(length(element), boundaries),
    sizeOf: (bucket: GroupKey) => batchSizes[Number(bucket)] as number,
    reduce(bucket, group) {
      const size = batchSizes[bucket] as number;
      if (noPadding) return batchPlan(group, size, dropRemainder, "bucketBySequenceLength");
      const openSize = padToBoundary ? boundaryOf(bucket, boundaries) - 1 : undefined;
      const batcherFor = paddedComponents({ shapes, values, openSize }, "bucketBySequenceLength");
      return batchWithPlan(group, { operator: "bucketBySequenceLength", size, dropRemainder, batcherFor });
    },
  };
}

/** Returns the upper bound of a bucket. @throws {ArgumentError} `invalid-argument` for the last bucket, which has none. */
function boundaryOf(bucket: number, boundaries: readonly number[]): number {
  const boundary = boundaries[bucket];
  if (boundary !== undefined) return boundary;
  throw new ArgumentError(
    "invalid-argument",
    `bucketBySequenceLength: with padToBoundary, elements must be shorter than the last boundary, ${boundaries.at(-1)}. Add a boundary.`,
    { argument: "boundaries" },
  );
}

/**
 * Returns the number, counted from 0, of the first bucket whose boundary exceeds `length`. If there is none, returns the number
 * of the last bucket.
 * @throws {ArgumentError} `invalid-argument` unless `length` is an integer of at least 0.
 */
function bucketOf(length: unknown, boundaries: readonly number[]): number {
  if (!Number.isSafeInteger(length) || (length as number) < 0) {
    throw new ArgumentError(
      "invalid-argument",
      `bucketBySequenceLength: the length of an element is ${describeValue(length)}, but must be an integer of at least 0.`,
      { argument: "length" },
    );
  }
  const bucket = boundaries.findIndex((boundary) => (length as number) < boundary);
  return bucket < 0 ? boundaries.length : bucket;
}
