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
 * Checks the options of a read against the format and the plan. Returns them with the splits of `shuffle.with` resolved by
 * {@link findSplit}.
 * @throws {ArgumentError} `invalid-argument` for an invalid option.
 * @throws {UnsupportedError} `unsupported` (`undeclared-request`) for a shuffle that the format does not declare.
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
 * Returns the plan's split that has the index of `split`. If the plan can subdivide its splits, returns `split` itself, which may
 * be a part of the plan's split.
 * @throws {ArgumentError} `invalid-argument` (`unknown-split`) if `split` is not a split of the plan, nor a part of one that the
 *   plan can subdivide.
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
  const range = `(bytes ${split.start ?? 0} to ${split.end ?? "the end"})`;
  throw new ArgumentError(
    "invalid-argument",
    `A split must be one of the ${splits.length} splits of this plan${isDivisible ? " or a part of one" : ""}, ` +
      `found split ${split.index} of ${split.uri} ${range}.`,
    { reason: "unknown-split", argument: "split" },
  );
}

/** Returns whether the bytes of a part lie within a split. A missing bound means the start or end of the file. */
function isWithin(split: Split, { start = 0, end = Number.POSITIVE_INFINITY }: Split): boolean {
  return (split.start ?? 0) >= start && (split.end ?? Number.POSITIVE_INFINITY) <= end;
}

/** Checks a shuffle, and resolves the splits in `with` by {@link findSplit}. */
function resolveShuffle(shuffle: ShuffledRead, plan: ReadPlan): ShuffledRead {
  assertMembers("shuffle", shuffle, SHUFFLE_RULES);
  const { with: others = [] } = shuffle;
  return { ...shuffle, with: others.map((split) => findSplit(plan, split)) };
}
