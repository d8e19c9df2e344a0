import { ArgumentError, assertKnownKeys, assertOptions, type Position } from "@tfxio/wire";
import { assertPositiveInteger } from "./check-limits.js";
import { invalid, type RequestTaker, undeclared } from "./check-request.js";
import type { ReadOptions, ReadPlan, ShuffledRead, Split } from "../read-plan.js";

const READ_KEYS = Object.keys({
  from: true,
  shuffle: true,
  signal: true,
  onProgress: true,
} satisfies Record<keyof ReadOptions, true>);
const SHUFFLE_KEYS = Object.keys({
  seed: true,
  numRows: true,
  with: true,
  splitIndexColumn: true,
} satisfies Record<keyof ShuffledRead, true>);
const POSITION_KEYS = Object.keys({ row: true, detail: true } satisfies Record<keyof Position, true>);

/**
 * The options of a read, checked against the format and the plan.
 * @throws {ArgumentError} `invalid-argument`. {@link UnsupportedError} `unsupported` (`undeclared-request`).
 */
export function resolveReadOptions(options: ReadOptions, plan: ReadPlan, taker: RequestTaker): ReadOptions {
  assertOptions(options, READ_KEYS, "read");
  const { from, shuffle } = options;
  if (from !== undefined) assertPosition(from);
  if (shuffle === undefined) return options;
  if (taker.reads.shuffle === undefined) throw undeclared(taker.id, "shuffle");
  return { ...options, shuffle: resolveShuffle(shuffle, plan) };
}

/**
 * What the plan makes of a split: its own split of the same index, or a part of it if the plan subdivides.
 * @throws {ArgumentError} `invalid-argument` (`unknown-split`) when the plan has no such split.
 */
export function findSplit(plan: ReadPlan, split: Split): Split {
  if (typeof split !== "object" || split === null) throw invalid("split", "is one of the plan's", split);
  const { splits } = plan;
  const isDivisible = plan.subdivide !== undefined;
  const own = splits[split.index];
  if (own !== undefined && own.uri === split.uri) {
    if (own.start === split.start && own.end === split.end && !isDivisible) return own;
    if (isDivisible && isWithin(split, own)) return split;
  }
  throw new ArgumentError(
    "invalid-argument",
    `split ${split.index} of ${split.uri} is not one of this plan's ${splits.length} splits`,
    { reason: "unknown-split", argument: "split" },
  );
}

function isWithin(split: Split, { start = 0, end = Number.POSITIVE_INFINITY }: Split): boolean {
  return (split.start ?? 0) >= start && (split.end ?? Number.POSITIVE_INFINITY) <= end;
}

function resolveShuffle(shuffle: ShuffledRead, plan: ReadPlan): ShuffledRead {
  assertKnownKeys(shuffle, SHUFFLE_KEYS, "shuffle");
  const { seed, numRows, splitIndexColumn } = shuffle;
  if (!(Number.isSafeInteger(seed) && seed >= 0))
    throw invalid("shuffle.seed", "is an integer of 0 or more", seed);
  assertPositiveInteger(numRows, "shuffle.numRows");
  if (splitIndexColumn !== undefined && (typeof splitIndexColumn !== "string" || splitIndexColumn === "")) {
    throw invalid("shuffle.splitIndexColumn", "is the name of a column", splitIndexColumn);
  }
  const others = shuffle.with ?? [];
  if (!Array.isArray(others)) throw invalid("shuffle.with", "is a list of splits", others);
  return { ...shuffle, with: others.map((split) => findSplit(plan, split as Split)) };
}

function assertPosition(position: Position): void {
  assertKnownKeys(position, POSITION_KEYS, "from");
  const { row } = position;
  if (!(Number.isSafeInteger(row) && row >= 0)) throw invalid("from.row", "is an integer of 0 or more", row);
}
