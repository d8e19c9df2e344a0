import type { Plan, PlanNode } from "../plan.js";
import type { PassCount, PassLength } from "./pass-count.js";
import type { PassLog } from "./pass-log.js";

/**
 * Describes a plan in one line, from its sources to its last operator: `fromItems(4) | shuffle(100,7,true) | batch(2,false)`.
 * Two datasets that are made alike, in any process, have the same line.
 */
export function describePlan({ node: { name, settings = [], inputs } }: Plan): string {
  const own =
    settings.length === 0 ? name : `${name}(${settings.map((value) => JSON.stringify(value)).join()})`;
  const [input, ...others] = inputs;
  if (input === undefined) return own;
  if (others.length === 0) return `${describePlan(input)} | ${own}`;
  return `[${inputs.map(describePlan).join("; ")}] | ${own}`;
}

/** All operators of a plan, in an order that depends on its form alone. An operator that is read twice comes once. */
function nodesOf(plan: Plan, found: Set<PlanNode> = new Set()): ReadonlySet<PlanNode> {
  if (found.has(plan.node)) return found;
  found.add(plan.node);
  for (const input of plan.node.inputs) nodesOf(input, found);
  return found;
}

/** The node of an operator over one plan. */
export function nodeOn(upstream: Plan, name: string, settings?: readonly unknown[]): PlanNode {
  return { name, settings, inputs: [upstream] };
}

/** True when each pass over a plan takes one pass number of each operator above it, however far it is read. */
export function isRegular({ node: { isRegular: isOwnRegular = true, inputs } }: Plan): boolean {
  return isOwnRegular && inputs.length <= 1 && inputs.every(isRegular);
}

/** Takes the numbers of `times` whole passes over a regular plan, without reading them. */
export function passOver({ node }: Plan, log: PassLog, times: number): void {
  const { name, passCount, numRepeats = 1, inputs } = node;
  if (passCount !== undefined) log.advance(passCount, times, name);
  for (const input of inputs) passOver(input, log, times * numRepeats);
}

/** The counters of passes of a plan, in the order of {@link nodesOf}. */
export function passCountsOf(plan: Plan): readonly PassCount[] {
  return [...nodesOf(plan)].flatMap(({ passCount }) => passCount ?? []);
}

/** The recorded lengths of repeated passes, in the same order. */
export function passLengthsOf(plan: Plan): readonly PassLength[] {
  return [...nodesOf(plan)].flatMap(({ passLength }) => passLength ?? []);
}
