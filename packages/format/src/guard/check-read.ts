import { ArgumentError, type Position } from "@tfxio/wire";
import {
  aFunction,
  aList,
  aName,
  anAbortSignal,
  anInteger,
  aPositiveInteger,
  assertMembers,
  assertOptions,
  invalidArgument,
  isObject,
  type OptionRules,
  required,
} from "@tfxio/wire/checks";
import { type RequestTaker, undeclared } from "./check-request.js";
import type { ReadOptions, ReadPlan, ShuffledRead, Split } from "../read-plan.js";

const READ_RULES: OptionRules<ReadOptions> = {
  from: null,
  shuffle: null,
  signal: anAbortSignal,
  onProgress: aFunction,
};
const POSITION_RULES: OptionRules<Position> = { row: required(anInteger(0)), detail: null };
const SHUFFLE_RULES: OptionRules<ShuffledRead> = {
  seed: required(anInteger(0)),
  numRows: required(aPositiveInteger),
  with: aList,
  splitIndexColumn: aName,
};

/**
 * The options of a read, checked against the format and the plan.
 * @throws {ArgumentError} `invalid-argument`. {@link UnsupportedError} `unsupported` (`undeclared-request`).
 */
export function resolveReadOptions(options: ReadOptions, plan: ReadPlan, taker: RequestTaker): ReadOptions {
  assertOptions("read", options, READ_RULES);
  const { from, shuffle } = options;
  if (from !== undefined) assertMembers("from", from, POSITION_RULES);
  if (shuffle === undefined) return options;
  if (taker.reads.shuffle === undefined) throw undeclared(taker.id, "shuffle");
  return { ...options, shuffle: resolveShuffle(shuffle, plan) };
}

/**
 * The plan's own split with the index of `split`, or `split` itself if it is a part and the plan subdivides.
 * @throws {ArgumentError} `invalid-argument` (`unknown-split`) when the plan has no such split.
 */
export function findSplit(plan: ReadPlan, split: Split): Split {
  if (!isObject(split)) throw invalidArgument("split", "one of the plan's splits", split);
  const { splits } = plan;
  const isDivisible = plan.subdivide !== undefined;
  const own = splits[split.index];
  if (own !== undefined && own.uri === split.uri) {
    if (own.start === split.start && own.end === split.end && !isDivisible) return own;
    if (isDivisible && isWithin(split, own)) return split;
  }
  throw new ArgumentError(
    "invalid-argument",
    `split ${split.index} of ${split.uri} is not among the ${splits.length} splits of this plan`,
    { reason: "unknown-split", argument: "split" },
  );
}

function isWithin(split: Split, { start = 0, end = Number.POSITIVE_INFINITY }: Split): boolean {
  return (split.start ?? 0) >= start && (split.end ?? Number.POSITIVE_INFINITY) <= end;
}

function resolveShuffle(shuffle: ShuffledRead, plan: ReadPlan): ShuffledRead {
  assertMembers("shuffle", shuffle, SHUFFLE_RULES);
  const { with: others = [] } = shuffle;
  return { ...shuffle, with: others.map((split) => findSplit(plan, split)) };
}
