import { PassCount } from "./checkpoint/pass-count.js";
import { ArgumentError } from "@tfxio/wire";
import {
  aBoolean,
  aListOf,
  aNumber,
  anInteger,
  assertArgument,
  assertOptions,
  type Rule,
  rule,
} from "@tfxio/wire/checks";
import { Dataset, type DatasetStructure, type Zipped } from "./dataset.js";
import { holdsDatasetsOnly } from "./operators/combining/as-plan.js";
import { choicesOf, choosePlan, randomChoices } from "./operators/combining/choose.js";
import { zipPlan } from "./operators/combining/zip.js";
import type { Plan } from "./plan.js";
import { planOf } from "./plan-of.js";

/** Options of {@link chooseFromDatasets}. */
export interface ChooseOptions {
  /** When the chosen dataset has ended, true ends the result, and false ignores the choice. Default true. */
  readonly stopOnEmpty?: boolean | undefined;
}

/** Options of {@link sampleFromDatasets}. */
export interface SampleOptions extends ChooseOptions {
  /** Relative weight of each dataset. Default: equal weights. */
  readonly weights?: readonly number[] | undefined;
  /** Integer of at least 0. Equal seeds make equal choices. Default: a random seed, drawn when the dataset is created. */
  readonly seed?: number | undefined;
}

const aStructure: Rule = rule("a dict or tuple of Datasets", (value) => {
  return planOf(value) === undefined && holdsDatasetsOnly(value);
});
const someDatasets: Rule = rule("a list of at least one Dataset", (value) => {
  return Array.isArray(value) && value.length > 0 && value.every((each) => planOf(each) !== undefined);
});

/**
 * Creates a dataset that reads several datasets in step. Each element has the structure of `datasets`, with one element in place
 * of each dataset. When one of the datasets ends, the result ends too, and the others are closed. An element fails if any of its
 * components fails.
 * @throws {ArgumentError} `invalid-argument` unless `datasets` is a dict or tuple of datasets.
 */
export function zip<const S extends DatasetStructure>(datasets: S): Dataset<Zipped<S>> {
  assertArgument("datasets", datasets, aStructure, "zip");
  return new Dataset(zipPlan(datasets));
}

/**
 * Creates a dataset that takes each element from one of several datasets. The elements of `choices` are the indices of the
 * datasets to take from.
 * @throws {ArgumentError} `invalid-argument` for invalid arguments. The iterator throws it for a choice that is not an index into
 *   `datasets`.
 */
export function chooseFromDatasets<T>(
  datasets: readonly Dataset<T>[],
  choices: Dataset<number | bigint>,
  options: ChooseOptions = {},
): Dataset<T> {
  assertArgument("datasets", datasets, someDatasets, "chooseFromDatasets");
  assertArgument(
    "choices",
    choices,
    rule("a Dataset", (value) => planOf(value) !== undefined),
    "chooseFromDatasets",
  );
  assertOptions("chooseFromDatasets", options, { stopOnEmpty: aBoolean });
  const { stopOnEmpty = true } = options;
  const createChooser = choicesOf(planOf(choices) as Plan, datasets.length);
  const node = { name: "chooseFromDatasets", settings: [stopOnEmpty], choices: planOrThrow(choices) };
  return new Dataset(choosePlan(datasets.map(planOrThrow), { stopOnEmpty, createChooser }, node));
}

/**
 * Creates a dataset that takes each element from one of several datasets, drawn at random. The draws are computed from the seed
 * and the pass number, so they differ between passes.
 * @throws {ArgumentError} `invalid-argument` if an argument is invalid, if the numbers of weights and datasets differ, or if all
 *   weights are 0.
 */
export function sampleFromDatasets<T>(
  datasets: readonly Dataset<T>[],
  options: SampleOptions = {},
): Dataset<T> {
  assertArgument("datasets", datasets, someDatasets, "sampleFromDatasets");
  assertOptions("sampleFromDatasets", options, {
    weights: aListOf("a list of numbers of at least 0", aNumber(0)),
    seed: anInteger(0),
    stopOnEmpty: aBoolean,
  });
  const { weights = datasets.map(() => 1), seed, stopOnEmpty = true } = options;
  if (weights.length !== datasets.length || !weights.some((weight) => weight > 0)) {
    throw new ArgumentError(
      "invalid-argument",
      `sampleFromDatasets: weights must be ${datasets.length} numbers, one for each dataset and not all 0, found [${weights.join(", ")}].`,
      { argument: "weights" },
    );
  }
  const passCount = new PassCount(seed);
  const createChooser = randomChoices(weights, passCount);
  const node = {
    name: "sampleFromDatasets",
    settings: [stopOnEmpty, weights, seed ?? null],
    passCount,
  };
  return new Dataset(choosePlan(datasets.map(planOrThrow), { stopOnEmpty, createChooser }, node));
}

function planOrThrow(dataset: Dataset<unknown>): Plan {
  return planOf(dataset) as Plan;
}
