import type { Dataset } from "./dataset.js";
import type { Plan } from "./plan.js";

const plans: WeakMap<object, Plan> = new WeakMap();
let create: ((plan: Plan) => object) | undefined;

/** Remembers what a dataset is made of, for operators that are given datasets. */
export function keepPlan(dataset: object, plan: Plan): void {
  plans.set(dataset, plan);
}

/** The plan of a dataset; undefined for any other value. */
export function planOf(value: unknown): Plan | undefined {
  return typeof value === "object" && value !== null ? plans.get(value) : undefined;
}

/** The plan of a dataset. */
export function planIn(dataset: object): Plan {
  return plans.get(dataset) as Plan;
}

/** Tells how a dataset is made, so that parts of its class can make others without importing it. */
export function makeDatasetsWith(constructor: (plan: Plan) => object): void {
  create = constructor;
}

/** A dataset of the elements of `plan`. */
export function datasetOf<T>(plan: Plan): Dataset<T> {
  return create?.(plan) as Dataset<T>;
}
