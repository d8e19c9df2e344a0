import type { Dataset } from "@tfxio/dataset";
import { parseEndpoint } from "@tfxio/formats-arrow/client";
import { isTfxioError } from "@tfxio/wire";
import { differenceOf } from "../difference.js";
import { categoryOf } from "../error-categories.js";
import { NotBuiltYet, type Outcome, outcomeOf } from "../outcome.js";
import type { VectorCase } from "../vector-file.js";
import { canonicalElement, plainElement } from "./notation.js";
import { arrowDatasetOf } from "./arrow-datasets.js";
import { buildPipeline } from "./pipeline.js";
import { reducerOf } from "./reducers.js";
import type { DatasetVector, ExpectationJson, ReducerJson } from "./vector.js";

/** The result of a pass over a dataset. */
interface Drained {
  readonly elements: readonly unknown[];
  /** Errors in the order in which they were thrown, each with the number of elements before it. */
  readonly errors: readonly { readonly afterElements: number; readonly category: string }[];
}

// A pipeline that continues after errors could fail forever. No test vector expects as many as 100 errors.
const MAX_ERRORS = 100;

/**
 * Returns the category of an error. If the message does not contain `mustName` in double quotes, adds this fact to the category,
 * so that the comparison fails. Rethrows an error that is not ours, or that has no category.
 */
function categoryOrThrow(error: unknown, mustName?: string): string {
  if (!isTfxioError(error)) throw error;
  const category = categoryOf("dataset", { code: error.code, ...(error.reason && { reason: error.reason }) });
  if (category === undefined) throw error;
  const isNamed = mustName === undefined || error.message.includes(JSON.stringify(mustName));
  return isNamed ? category : `${category}, but the message does not contain ${JSON.stringify(mustName)}`;
}

/** Reads up to `maxElements + 1` elements. The extra element shows that there are more elements than expected. */
async function drain(
  dataset: Dataset<unknown>,
  maxElements: number,
  onElementError: "end" | "continue",
  mustName: string | undefined,
): Promise<Drained> {
  const elements: unknown[] = [];
  const errors: { afterElements: number; category: string }[] = [];
  const iterator = await dataset.iterator({ onElementError });
  try {
    while (elements.length <= maxElements && errors.length < MAX_ERRORS) {
      try {
        const { value, done } = await iterator.next();
        if (done === true) break;
        elements.push(await plainElement(value));
      } catch (error) {
        errors.push({ afterElements: elements.length, category: categoryOrThrow(error, mustName) });
      }
    }
  } finally {
    await iterator.return?.();
  }
  return { elements, errors };
}

function sorted(elements: readonly unknown[]): unknown[] {
  return elements.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
}

/** Compares the cardinality with the expectation, if the test vector has one. */
function cardinalityDifference(dataset: Dataset<unknown>, expect: ExpectationJson): string | undefined {
  const { cardinality, elements } = expect;
  const actual = dataset.cardinality();
  if (cardinality === undefined || actual === cardinality) return undefined;
  // Our code may know a cardinality that the test vector gives as "unknown". If the vector lists the elements, the
  // cardinality must be their number.
  if (cardinality === "unknown" && typeof actual === "number" && actual === (elements?.length ?? actual))
    return undefined;
  return differenceOf(cardinality, actual, "cardinality");
}

async function differenceFrom(dataset: Dataset<unknown>, vector: DatasetVector): Promise<string | undefined> {
  const { expect } = vector;
  const cardinality = cardinalityDifference(dataset, expect);
  if (cardinality !== undefined || expect.elements === undefined) return cardinality;
  const expected = expect.elements.map(canonicalElement);
  const errors = expect.error
    ? [{ afterElements: expect.error.afterElements ?? expected.length, category: expect.error.category }]
    : (expect.errors ?? []).map(({ afterElements, category }) => ({ afterElements, category }));
  // `error` ends the pass. Without it, reading continues after each error.
  const onElementError = expect.error === undefined ? "continue" : "end";
  const actual = await drain(dataset, expected.length, onElementError, expect.error?.mustName);
  const isMultiset = vector.compare === "multiset";
  return (
    differenceOf(
      isMultiset ? sorted(expected) : expected,
      isMultiset ? sorted(actual.elements) : actual.elements,
    ) ?? differenceOf(errors, actual.errors, "errors")
  );
}

/** Reduces the dataset, and compares the value or the error with the expectation. */
async function reductionDifference(
  dataset: Dataset<unknown>,
  { reduce, expect }: DatasetVector,
): Promise<string | undefined> {
  let value: unknown;
  try {
    value = await dataset.reduce(reducerOf(reduce as ReducerJson) as never);
  } catch (thrown) {
    const found = categoryOrThrow(thrown, expect.error?.mustName);
    return differenceOf(expect.error?.category, found, "error of the reduction");
  }
  if (expect.error !== undefined) return `expected error ${expect.error.category}, got a value`;
  return differenceOf(canonicalElement(expect.value), await plainElement(value));
}

/** Parses an endpoint, and compares its parts or the error with the expectation. */
function endpointOutcome(text: string, { parsed, error }: ExpectationJson): Outcome {
  let found: unknown;
  try {
    found = parseEndpoint(text);
  } catch (thrown) {
    return outcomeOf(differenceOf(error?.category, categoryOrThrow(thrown, error?.mustName), "error"));
  }
  return outcomeOf(differenceOf(parsed, found));
}

const stages: ReadonlySet<string> = new Set(["construction", "construction-or-first-element", "iteration"]);

/** Parses a test vector's endpoint, or builds its dataset and reads or reduces it. Compares the result with the expectation. */
export async function runDatasetVector({ body }: VectorCase): Promise<Outcome> {
  const vector = body as unknown as DatasetVector;
  const { error, mayFailAtConstruction, errors } = vector.expect;
  if (error !== undefined && !stages.has(error.stage)) throw new TypeError(`unknown stage "${error.stage}"`);
  if (vector.endpoint !== undefined) return endpointOutcome(vector.endpoint, vector.expect);
  let dataset: Dataset<unknown>;
  try {
    dataset = (await arrowDatasetOf(vector)) ?? buildPipeline(vector);
  } catch (thrown) {
    if (thrown instanceof NotBuiltYet) return { status: "skipped", reason: thrown.message };
    const mayThrow = (error !== undefined && error.stage !== "iteration") || mayFailAtConstruction === true;
    const wanted = mayThrow ? (error?.category ?? errors?.[0]?.category) : undefined;
    const none =
      error && differenceOf(vector.expect.elements ?? [], [], "elements before the error at construction");
    const found = categoryOrThrow(thrown, error?.mustName);
    return outcomeOf(none ?? differenceOf(wanted, found, "error at construction"));
  }
  if (vector.reduce !== undefined) return outcomeOf(await reductionDifference(dataset, vector));
  if (error?.stage === "construction") {
    return { status: "failed", detail: `expected error ${error.category} at construction, got a dataset` };
  }
  return outcomeOf(await differenceFrom(dataset, vector));
}
