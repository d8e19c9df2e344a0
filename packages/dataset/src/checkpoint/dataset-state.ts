import { ArgumentError, UnsupportedError } from "@tfxio/wire";
import { aListOf, anInteger, invalidArgument, membersOf, rule } from "@tfxio/wire/checks";
import type { Plan } from "../plan.js";
import type { PassCount } from "./pass-count.js";
import type { PassLog } from "./pass-log.js";
import { describePlan, passCountsOf, passLengthsOf } from "./plan-node.js";

/**
 * The position of an iterator, as JSON. It is valid for every dataset with the same operators, settings and file names. Functions
 * are not compared.
 */
export interface DatasetState {
  /** Version of this format. */
  readonly version: 1;
  /** One-line description of the operators of the dataset and their settings. */
  readonly plan: string;
  /** Number of elements that the pass has returned so far. */
  readonly numElements: number;
  /** For each operator with a random order: the number of the pass, from 0, and the seed (null if the caller gave it). */
  readonly passes: readonly (readonly [pass: number, seed: number | null])[];
  /** For each `repeat`: the number of rows in one pass over its input, or null if it is unknown. */
  readonly passRows: readonly (number | null)[];
}

const aCount = anInteger(0);
const isCountOrNull = (value: unknown): boolean => value === null || aCount.holds(value);
const passes = aListOf(
  "pairs of a pass number and a seed",
  rule("a pair", (pair) => {
    return Array.isArray(pair) && pair.length === 2 && aCount.holds(pair[0]) && isCountOrNull(pair[1]);
  }),
);
const passRows = aListOf("numbers of rows", rule("a number of rows, or null", isCountOrNull));

/**
 * Returns the state after `numElements` elements of the pass that `log` records. Without `log`, the pass has not begun.
 * @throws {UnsupportedError} `unsupported` (`not-repeatable`) if an operator of the pass cannot repeat its order.
 */
export function stateOf(plan: Plan, log: PassLog | undefined, numElements: number): DatasetState {
  const counts = passCountsOf(plan);
  if (log !== undefined) assertRepeatable(log, new Set(counts));
  return {
    version: 1,
    plan: describePlan(plan),
    numElements,
    passes: counts.map((count) => [log?.firstOf(count) ?? count.next, count.isDrawn ? count.seed : null]),
    passRows: passLengthsOf(plan).map(({ numRows }) => numRows ?? null),
  };
}

/**
 * Asserts that `state` was taken from a plan equal to `plan`.
 * @throws {ArgumentError} `invalid-argument`: the reason is `state` for a value that is not a state, and `other-plan` for a state
 *   of a different plan.
 */
export function assertStateOf(plan: Plan, state: unknown, operator: string): asserts state is DatasetState {
  const found = membersOf(state);
  const isState =
    found["version"] === 1 &&
    typeof found["plan"] === "string" &&
    aCount.holds(found["numElements"]) &&
    passes.holds(found["passes"]) &&
    passRows.holds(found["passRows"]);
  if (!isState)
    throw invalidArgument("state", "the result of an iterator's state()", state, { reason: "state" });
  const expected = describePlan(plan);
  const counts = [passCountsOf(plan).length, passLengthsOf(plan).length];
  const { plan: actual, passes: pairs, passRows: lengths } = state as DatasetState;
  if (actual === expected && pairs.length === counts[0] && lengths.length === counts[1]) return;
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: the state must come from the same dataset: found ${actual}, expected ${expected}.`,
    { argument: "state", reason: "other-plan" },
  );
}

/**
 * Resets the pass numbers and seeds of a plan to the start of the pass in which `state` was taken. Also sets the pass lengths
 * that the plan does not know yet.
 */
export function restorePlan(plan: Plan, state: DatasetState): void {
  passCountsOf(plan).forEach((count, index) => {
    const [pass, seed] = state.passes[index] as readonly [number, number | null];
    count.next = pass;
    if (seed !== null) count.seed = seed;
  });
  passLengthsOf(plan).forEach((length, index) => {
    const numRows = state.passRows[index] as number | null;
    if (numRows !== null && length.numRows === undefined) length.learn(numRows);
  });
}

/** Returns the error for data that ends before the position of a state. */
export function endsTooEarly(numElements: number, expected: number): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `The dataset ended after ${numElements} elements, but the state was taken after ${expected}. Resume only on unchanged data.`,
    { argument: "state", reason: "other-data" },
  );
}

/**
 * Asserts that all operators of a pass can repeat their order.
 * @param known The pass counters that the state records.
 * @throws {UnsupportedError} `unsupported` (`not-repeatable`) if an operator cannot.
 */
function assertRepeatable(log: PassLog, known: ReadonlySet<PassCount>): void {
  const isUnknown = [...log.used].some((count) => !known.has(count));
  const inner =
    "a dataset returned by a function has a random order; give it a seed and reshuffleEachIteration: false";
  const [operator, reason] = log.obstacle ?? (isUnknown ? ["shuffle", inner] : []);
  if (operator === undefined) return;
  throw new UnsupportedError(`state: ${operator} cannot repeat its elements: ${reason}.`, {
    feature: operator,
    reason: "not-repeatable",
  });
}
