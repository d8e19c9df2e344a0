import { ArgumentError } from "@tfxio/wire";
import { componentsOf, isTuple } from "../../columns/structure.js";
import type { Plan } from "../../plan.js";
import { planOf } from "../../plan-of.js";
import { itemsPlan } from "../../sources/from-items.js";
import { iterablePlan } from "../../sources/from-iterable.js";
import { zipPlan } from "./zip.js";

/**
 * Returns the plan of a callback's result. The result may be a dataset, a dict or tuple of datasets (zipped), a plain array of
 * elements, or any other synchronous or asynchronous iterable object, except a typed array.
 * @throws {ArgumentError} `invalid-argument` (`not-a-dataset`) for any other result.
 */
export function planOfResult(result: unknown, operator: string): Plan {
  const plan = planOf(result) ?? zippedPlan(result);
  if (plan !== undefined) return plan;
  if (Array.isArray(result) && !isTuple(result)) return itemsPlan(result);
  if (isIterable(result)) return iterablePlan(() => result, operator);
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: the function must return a Dataset, a dict or tuple of Datasets, or an iterable, found ${describe(result)}.`,
    { reason: "not-a-dataset" },
  );
}

/** Returns the zipped plan of a dict or tuple of datasets, which may be nested. Returns undefined for any other value. */
function zippedPlan(result: unknown): Plan | undefined {
  return componentsOf(result) === undefined || !holdsDatasetsOnly(result) ? undefined : zipPlan(result);
}

/** Returns true for a dataset, and for a non-empty dict or tuple whose leaves are all datasets. */
export function holdsDatasetsOnly(value: unknown): boolean {
  const components = componentsOf(value);
  if (components === undefined) return planOf(value) !== undefined;
  return components.length > 0 && components.every(([, component]) => holdsDatasetsOnly(component));
}

/** Returns true for an iterable object, except a tuple or typed array. */
function isIterable(value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || isTuple(value))
    return false;
  return Symbol.asyncIterator in value || Symbol.iterator in value;
}

function describe(value: unknown): string {
  return value === null ? "null" : isTuple(value) ? "a tuple" : `a value of type ${typeof value}`;
}
