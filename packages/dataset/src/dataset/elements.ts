import type { KeysOf, Selected, WithTensors } from "../columns/element-types.js";
import type { Tuple } from "../columns/structure.js";
import type { IgnoreErrorsOptions, MapOptions, ResampleOptions, ToXYOptions } from "../dataset-options.js";
import type { Dataset } from "../dataset.js";
import { enumeratePlan } from "../operators/elements/enumerate.js";
import { filterPlan } from "../operators/elements/filter.js";
import { ignoreErrorsPlan } from "../operators/elements/ignore-errors.js";
import { mapPlan } from "../operators/elements/map.js";
import { parallelMapPlan } from "../operators/elements/parallel-map.js";
import { rejectionResamplePlan } from "../operators/elements/rejection-resample.js";
import { scanPlan } from "../operators/elements/scan.js";
import { takeWhilePlan } from "../operators/elements/take-while.js";
import { aComponentSelection, type ComponentSelection, toXYPlan } from "../operators/elements/to-xy.js";
import { uniquePlan } from "../operators/elements/unique.js";
import {
  type TensorOnlySettings,
  type TensorSettings,
  withTensorsPlan,
} from "../operators/elements/with-tensors.js";
import { datasetOf, planIn } from "../plan-of.js";
import { CombiningOperators } from "./combining.js";
import type { HostColumn } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import {
  aBoolean,
  aFunction,
  anInteger,
  aNumber,
  aPositiveInteger,
  assertArgument,
  assertOptions,
  required,
  rule,
} from "@tfxio/wire/checks";

const someShares = rule("a list of numbers of at least 0, not all of which are 0", (value) => {
  return Array.isArray(value) && value.every(aNumber(0).holds) && value.some((share) => share > 0);
});

/** Operators that look at one element after the other. Part of {@link Dataset}. */
export abstract class ElementOperators<T> extends CombiningOperators<T> {
  /**
   * Replaces every element with the value that `f` returns or resolves to. Calls run one at a time. With `parallel: n`, up to n
   * calls run at once, for functions that wait. Results keep the order of elements unless `ordered` is false. Input tensors
   * that are not in the output are disposed. After {@link withTensors}, so are tensors that a synchronous `f` makes and does
   * not return.
   * @throws {UserFunctionError} `user-function` from the iterator, in the element's place, when `f` throws.
   */
  map<U>(f: (element: T) => U | Promise<U>, options: MapOptions = {}): Dataset<U> {
    assertArgument("f", f, aFunction, "map");
    assertOptions("map", options, { parallel: aPositiveInteger, ordered: aBoolean });
    const { parallel = 1, ordered = true } = options;
    if (parallel === 1) return datasetOf(mapPlan(planIn(this), f));
    return datasetOf(parallelMapPlan(planIn(this), f, { parallel, isOrdered: ordered }));
  }

  /**
   * The elements for which `predicate` returns or resolves to true; tensors of the others are disposed.
   * @throws {UserFunctionError} `user-function` from the iterator, in the element's place, when it throws.
   */
  filter(predicate: (element: T) => boolean | Promise<boolean>): Dataset<T> {
    assertArgument("predicate", predicate, aFunction, "filter");
    return datasetOf(filterPlan(planIn(this), predicate));
  }

  /**
   * The elements before the first one for which `predicate` does not return or resolve to true.
   * @throws {UserFunctionError} `user-function` from the iterator, in the element's place, when it throws.
   */
  takeWhile(predicate: (element: T) => boolean | Promise<boolean>): Dataset<T> {
    assertArgument("predicate", predicate, aFunction, "takeWhile");
    return datasetOf(takeWhilePlan(planIn(this), predicate));
  }

  /**
   * Every element replaced by the output that `f` makes of it and of a state: `f` returns `[nextState, output]`, or a
   * promise of it. Each pass begins with `initialState`. An element that fails leaves the state as it was.
   * @throws {UserFunctionError} `user-function` from the iterator, in the element's place, when `f` throws.
   */
  scan<S, U>(
    initialState: S,
    f: (state: S, element: T) => readonly [S, U] | Promise<readonly [S, U]>,
  ): Dataset<U> {
    assertArgument("f", f, aFunction, "scan");
    return datasetOf(scanPlan(planIn(this), initialState, f));
  }

  /**
   * Every element with its position, counted from `start`, as `tuple(position, element)`. Positions are bigints, which
   * batch to int64.
   * @throws {ArgumentError} `invalid-argument`
   */
  enumerate(start = 0): Dataset<Tuple<readonly [bigint, T]>> {
    assertArgument("start", start, anInteger(Number.MIN_SAFE_INTEGER), "enumerate");
    return datasetOf(enumeratePlan(planIn(this), start));
  }

  /**
   * The first of all elements that are equal by value. Keeps what it has seen in memory for the length of a pass. NaN
   * equals NaN, and 0 equals -0.
   * @throws {ArgumentError} `invalid-argument` from the iterator for tensors and datasets, which are not compared.
   */
  unique(): Dataset<T> {
    return datasetOf(uniquePlan(planIn(this)));
  }

  /**
   * Drops elements that failed, because your function threw or because a value cannot be converted. Other errors, such as those
   * of a source, still end the pass.
   * @throws {ArgumentError} `invalid-argument`
   */
  ignoreErrors(options: IgnoreErrorsOptions = {}): Dataset<T> {
    assertOptions("ignoreErrors", options, { log: aFunction, max: anInteger(0) });
    const { log, max = Number.POSITIVE_INFINITY } = options;
    return datasetOf(ignoreErrorsPlan(planIn(this), { log, max }));
  }

  /**
   * Drops elements at random, so that the classes of the remaining ones have the shares in `target`. `classOf` returns the
   * number of an element's class, or a promise of it. Each pass draws again.
   * @throws {ArgumentError} `invalid-argument`; from the iterator, in the element's place, for a class without a share.
   * @throws {UserFunctionError} `user-function` from the iterator, in the element's place, when `classOf` throws.
   */
  rejectionResample(
    classOf: (element: T) => number | bigint | Promise<number | bigint>,
    options: ResampleOptions,
  ): Dataset<T> {
    assertArgument("classOf", classOf, aFunction, "rejectionResample");
    assertOptions("rejectionResample", options, {
      target: required(someShares),
      initial: someShares,
      seed: anInteger(0),
    });
    const { target, initial, seed } = options;
    if (initial !== undefined && initial.length !== target.length) {
      throw new ArgumentError(
        "invalid-argument",
        `rejectionResample: initial has ${initial.length} shares, expected ${target.length} as target has`,
        { argument: "initial" },
      );
    }
    return datasetOf(rejectionResamplePlan(planIn(this), classOf, { target, initial, seed }));
  }

  /**
   * Batches in the form that `fitDataset` takes, by component name (dict) or index (tuple); a list of names gives a
   * dict, a list of indices a tuple. Components that are not named are dropped, their tensors disposed. Apply it to
   * batches, before {@link withTensors}, so that no tensor is made of what is dropped.
   * @throws {ArgumentError} `invalid-argument` when `ys` or `xs` selects nothing; from the iterator when a component is
   *   missing.
   */
  toXY<const Ys extends ComponentSelection, const Xs extends ComponentSelection | undefined = undefined>(
    options: ToXYOptions<Ys, Xs>,
  ): Dataset<{
    readonly xs: Xs extends undefined ? Omit<T, KeysOf<Ys> & PropertyKey> : Selected<T, Xs>;
    readonly ys: Selected<T, Ys>;
  }> {
    assertOptions("toXY", options, {
      ys: required(aComponentSelection),
      xs: aComponentSelection,
      keepRank: aBoolean,
    });
    const { xs, ys, keepRank = false } = options;
    return datasetOf(toXYPlan(planIn(this), { xs, ys, keepRank }));
  }

  /**
   * Converts host values to tensors of `tf`, one per component. This is the last step before a model. The receiver of an
   * element disposes its tensors, as `fitDataset` does. int64 and float64 follow their policies, for all components or by
   * path (`"ys"`, `"xs.age"`), with `"int32"` and `"float32"` by default, both checked.
   * @throws {ArgumentError} `invalid-argument` if `tf` is not TensorFlow.js, and for unknown policies.
   * @throws {ConversionError} `out-of-range` from the iterator, in the element's place, naming the component.
   */
  withTensors(options: TensorOnlySettings): Dataset<WithTensors<T>>;
  /** Components with the policy `"host"` stay host columns. */
  withTensors(options: TensorSettings): Dataset<WithTensors<T, HostColumn>>;
  withTensors(options: TensorSettings): Dataset<WithTensors<T, HostColumn>> {
    return datasetOf(withTensorsPlan(planIn(this), options));
  }
}
