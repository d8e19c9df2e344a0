import type { CycleOptions } from "../dataset-options.js";
import type { Dataset } from "../dataset.js";
import { concatenatePlan } from "../operators/combining/concatenate.js";
import { flatMapPlan } from "../operators/combining/flat-map.js";
import { interleavePlan } from "../operators/combining/interleave.js";
import { parallelInterleavePlan } from "../operators/combining/parallel-interleave.js";
import { datasetOf, planIn, planOf } from "../plan-of.js";
import type { Plan } from "../plan.js";
import type { DatasetLike, DatasetStructure, Zipped } from "./dataset-types.js";
import { WindowOperators } from "./windows.js";
import {
  aBoolean,
  aFunction,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  rule,
} from "@tfxio/wire/checks";

const aDataset = rule("a Dataset", (value) => planOf(value) !== undefined);

/** Operators that join datasets. Part of {@link Dataset}. */
export abstract class CombiningOperators<T> extends WindowOperators<T> {
  /**
   * Every element replaced by the elements of what `f` makes of it: a dataset, a dict or tuple of datasets (read side by
   * side, as {@link zip} does), or an iterable. Tensors of the element and of the result live until that is read.
   * @throws {UserFunctionError} `user-function` from the iterator, in the element's place, when `f` throws.
   * @throws {ArgumentError} `invalid-argument` (`not-a-dataset`), likewise, when it gives something else.
   */
  flatMap<U>(f: (element: T) => DatasetLike<U> | Promise<DatasetLike<U>>): Dataset<U>;
  flatMap<const S extends DatasetStructure>(f: (element: T) => S | Promise<S>): Dataset<Zipped<S>>;
  flatMap(f: (element: T) => unknown): Dataset<unknown> {
    assertArgument("f", f, aFunction, "flatMap");
    return datasetOf(flatMapPlan(planIn(this), f));
  }

  /**
   * As {@link flatMap}, but the datasets of `cycle` elements are read side by side: `block` elements of each in turn. One
   * that has ended gives way to the next element's at its next turn. With `parallel` all of them read ahead, one turn each.
   * @throws {ArgumentError} `invalid-argument`; errors of `f` as {@link flatMap}.
   */
  interleave<U>(
    f: (element: T) => DatasetLike<U> | Promise<DatasetLike<U>>,
    options: CycleOptions = {},
  ): Dataset<U> {
    assertArgument("f", f, aFunction, "interleave");
    assertOptions("interleave", options, {
      cycle: aPositiveInteger,
      block: aPositiveInteger,
      parallel: aBoolean,
      ordered: aBoolean,
    });
    const { cycle = 16, block = 1, parallel = false, ordered = true } = options;
    if (parallel) {
      return datasetOf(parallelInterleavePlan(planIn(this), f, { cycle, block, isOrdered: ordered }));
    }
    return datasetOf(interleavePlan(planIn(this), f, { cycle, block }));
  }

  /** All elements, then all of `other`. @throws {ArgumentError} `invalid-argument` */
  concatenate<U>(other: Dataset<U>): Dataset<T | U> {
    assertArgument("other", other, aDataset, "concatenate");
    return datasetOf(concatenatePlan(planIn(this), planOf(other) as Plan));
  }
}
