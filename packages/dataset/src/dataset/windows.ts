import type { Batched } from "../columns/element-types.js";
import type { BucketOptions, WindowOptions } from "../dataset-options.js";
import type { Dataset } from "../dataset.js";
import { bucketSettings } from "../operators/windows/bucket-settings.js";
import { groupByWindowPlan, type GroupKey } from "../operators/windows/group-by-window.js";
import { datasetsOfComponents } from "../operators/windows/window-components.js";
import { windowRowsPlan } from "../operators/windows/window-rows.js";
import { windowOptions, windowSettings } from "../operators/windows/window-settings.js";
import { windowPlan } from "../operators/windows/window.js";
import { datasetOf, planIn, planOf } from "../plan-of.js";
import type { Plan } from "../plan.js";
import type { GroupByWindowOptions, Windowed } from "./dataset-types.js";
import { OrderOperators } from "./order.js";
import { aFunction, assertArgument, assertOptions, required, rule } from "@tfxio/wire/checks";

const aWindowSize = rule("an integer, or a function of the key", (value) => {
  return typeof value === "function" || Number.isInteger(value);
});

/** Operators that make datasets of neighbouring or related elements. Part of {@link Dataset}. */
export abstract class WindowOperators<T> extends OrderOperators<T> {
  /**
   * Windows of `size` elements that follow each other, each a dataset of them; of elements with components, a dict or tuple
   * of datasets, one for each. Windows read the rows that they were made of, any number of times: of rows in columns or
   * record batches they are views. A window is never empty. Elements between windows are passed over, with their errors;
   * a window that holds an element that failed fails. Reads no further than to the end of the window that is asked for.
   * By default windows follow the RFC: each begins one element after the one before, and is full. {@link TF_WINDOW} has
   * TensorFlow's defaults. With component datasets of record batches, values are converted with their whole batch.
   * @throws {ArgumentError} `invalid-argument` for numbers that are not positive integers, and a span beyond 2^53 - 1.
   * @see RFC on windowing; tf.data.Dataset.window
   */
  window(size: number, options?: WindowOptions): Dataset<Windowed<T>>;
  window(
    size: number,
    shift?: number | "size",
    stride?: number,
    dropRemainder?: boolean,
  ): Dataset<Windowed<T>>;
  window(
    size: number,
    shift: WindowOptions | number | "size" = {},
    stride?: number,
    dropRemainder?: boolean,
  ): Dataset<Windowed<T>> {
    const settings = windowSettings("window", size, windowOptions(shift, stride, dropRemainder));
    return datasetOf(
      windowPlan(planIn(this), settings, {
        keepsRecordBatches: false,
        toElement: (parts, upstream) =>
          datasetsOfComponents(parts, (rows) => datasetOf(windowRowsPlan(rows, upstream))),
      }),
    );
  }

  /**
   * As {@link window}, but each window is one dataset of whole elements. Windows of record batches still lie in them:
   * {@link recordBatches} of a window gives slices.
   * @throws {ArgumentError} as {@link window}.
   */
  windowRows(size: number, options: WindowOptions = {}): Dataset<Dataset<T>> {
    const settings = windowSettings("windowRows", size, options);
    return datasetOf(
      windowPlan(planIn(this), settings, {
        keepsRecordBatches: planIn(this).moved?.arrowSchema !== undefined,
        toElement: (parts, upstream) => datasetOf(windowRowsPlan(parts, upstream)),
      }),
    );
  }

  /**
   * Groups elements by key. A full group is replaced by the elements that `reduce` makes of it. At the end of the input, the
   * remaining groups follow in ascending order of their keys, with text keys last. Memory is bounded by the open groups.
   * @throws {ArgumentError} `invalid-argument`; from the iterator for a key that is neither an integer nor text, and for a
   *   window size that is not positive, at the first element with that key.
   */
  groupByWindow<U>(
    keyOf: (element: T) => GroupKey | Promise<GroupKey>,
    options: GroupByWindowOptions<T, U>,
  ): Dataset<U> {
    assertArgument("keyOf", keyOf, aFunction, "groupByWindow");
    assertOptions("groupByWindow", options, {
      windowSize: required(aWindowSize),
      reduce: required(aFunction),
    });
    const { windowSize, reduce } = options;
    return datasetOf(
      groupByWindowPlan(planIn(this), {
        operator: "groupByWindow",
        keyOf,
        sizeOf: typeof windowSize === "function" ? windowSize : () => windowSize,
        reduce: (key, group) => reduce(key, group as Dataset<T>),
        toDataset: (plan) => datasetOf(plan),
      }),
    );
  }

  /**
   * Batches of elements of similar length, padded.
   * @throws {ArgumentError} `invalid-argument`; from the iterator with `padToBoundary` for the last bucket, which has no
   *   boundary; errors of {@link paddedBatch}.
   */
  bucketBySequenceLength(options: BucketOptions<T>): Dataset<Batched<T>> {
    const { reduce, ...settings } = bucketSettings(options);
    return datasetOf(
      groupByWindowPlan(planIn(this), {
        ...settings,
        operator: "bucketBySequenceLength",
        reduce: (key, group) => datasetOf(reduce(Number(key), planOf(group) as Plan)),
        toDataset: (plan) => datasetOf(plan),
      }),
    );
  }
}
