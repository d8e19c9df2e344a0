import type { Plan, PlanNode } from "../plan.js";
import type { PassCount, PassLength } from "./pass-count.js";
import type { PassLog } from "./pass-log.js";

/**
 * Describes a plan in one line, from its sources to its last operator: `fromItems(4) | shuffle(100,7,true) | batch(2,false)`.
 * Two datasets built the same way have the same description, even in different processes. Functions are not described.
 */
export function describePlan({ node: { name, settings = [], inputs } }: Plan): string {
  const own =
    settings.length === 0 ? name : `${name}(${settings.map((value) => JSON.stringify(value)).join()})`;
  const [input, ...others] = inputs;
  if (input === undefined) return own;
  if (others.length === 0) return `${describePlan(input)} | ${own}`;
  return `[${inputs.map(describePlan).join("; ")}] | ${own}`;
}

/** Returns all operators of a plan, in an order that depends only on its structure. Lists a shared operator only once. */
function nodesOf(plan: Plan, found: Set<PlanNode> = new Set()): ReadonlySet<PlanNode> {
  if (found.has(plan.node)) return found;
  found.add(plan.node);
  for (const input of plan.node.inputs) nodesOf(input, found);
  return found;
}

/** Returns the node of an operator with one input. */
export function nodeOn(upstream: Plan, name: string, settings?: readonly unknown[]): PlanNode {
  return { name, settings, inputs: [upstream] };
}

/** Returns true only if all passes over a plan, even those that end early, advance its pass counters equally. */
export function isRegular({
  node: { isRegular: isOwnRegular = true, numRepeats = 1, inputs },
}: Plan): boolean {
  // A pass that ends early may make fewer than `numRepeats` passes over its input.
  return isOwnRegular && numRepeats === 1 && inputs.length <= 1 && inputs.every(isRegular);
}

/** Advances the pass numbers of a regular plan by `times` passes, without reading anything. */
export function passOver({ node }: Plan, log: PassLog, times: number): void {
  const { name, passCount, inputs } = node;
  if (passCount !== undefined) log.advance(passCount, times, name);
  for (const input of inputs) passOver(input, log, times);
}

/** Returns the pass counters of a plan, in the order of {@link nodesOf}. */
export function passCountsOf(plan: Plan): readonly PassCount[] {
  return [...nodesOf(plan)].flatMap(({ passCount }) => passCount ?? []);
}

/** Returns the pass lengths of the `repeat` operators of a plan, in the order of {@link nodesOf}. */
export function passLengthsOf(plan: Plan): readonly PassLength[] {
  return [...nodesOf(plan)].flatMap(({ passLength }) => passLength ?? []);
}
