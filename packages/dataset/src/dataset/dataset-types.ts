import type { Leaf } from "../columns/element-types.js";
import type { Tuple } from "../columns/structure.js";
import type { Dataset } from "../dataset.js";
import type { GroupKey } from "../operators/windows/group-by-window.js";

/** A source of elements: a dataset, or a synchronous or asynchronous iterable. */
export type DatasetLike<T> = Dataset<T> | Iterable<T> | AsyncIterable<T>;

/** A structure of datasets: a dataset, or a dict or tuple of such. */
export type DatasetStructure =
  | Dataset<unknown>
  | { readonly [key: string]: DatasetStructure }
  | Tuple<readonly unknown[]>;

/** Elements of a {@link DatasetStructure} read side by side. */
export type Zipped<S> =
  S extends Dataset<infer T>
    ? T
    : S extends Tuple<infer Components>
      ? Tuple<{ readonly [Index in keyof Components]: Zipped<Components[Index]> }>
      : { readonly [Key in keyof S]: Zipped<S[Key]> };

/** A window of `T`: every leaf a dataset, in the same structure. */
export type Windowed<T> = unknown extends T
  ? unknown
  : T extends Tuple<infer Components>
    ? Tuple<{ readonly [Index in keyof Components]: Windowed<Components[Index]> }>
    : T extends Leaf
      ? Dataset<T>
      : T extends Dataset<unknown>
        ? Dataset<T>
        : { readonly [Key in keyof T]: Windowed<T[Key]> };

/** Options of {@link Dataset.groupByWindow}. */
export interface GroupByWindowOptions<T, U> {
  /** Elements of a full group: a positive integer, or a function of the key. */
  readonly windowSize: number | ((key: GroupKey) => number);
  /** Makes elements of a group. Integer keys are bigints. */
  readonly reduce: (key: GroupKey, group: Dataset<T>) => DatasetLike<U>;
}
