import type { Plan } from "./plan.js";

const plans: WeakMap<object, Plan> = new WeakMap();

/** Remembers what a dataset is made of, for operators that are given datasets. */
export function keepPlan(dataset: object, plan: Plan): void {
  plans.set(dataset, plan);
}

/** The plan of a dataset; undefined for any other value. */
export function planOf(value: unknown): Plan | undefined {
  return typeof value === "object" && value !== null ? plans.get(value) : undefined;
}
