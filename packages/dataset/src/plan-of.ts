import type { Plan } from "./plan.js";

const plans: WeakMap<object, Plan> = new WeakMap();

/** Records the plan of a dataset, for operators that receive datasets. */
export function keepPlan(dataset: object, plan: Plan): void {
  plans.set(dataset, plan);
}

/** Returns the plan of a dataset, or undefined for any other value. */
export function planOf(value: unknown): Plan | undefined {
  return typeof value === "object" && value !== null ? plans.get(value) : undefined;
}
