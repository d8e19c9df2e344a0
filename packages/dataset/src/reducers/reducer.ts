import type { Cardinality } from "../cardinality.js";

/** Context of a reduction before its first element. */
export interface ReductionContext {
  /** Number of elements, as the dataset knows it. */
  readonly cardinality: Cardinality;
  /** The name of the function that the program called, for errors. */
  readonly operator: string;
}

/**
 * Reduces the elements of a dataset to one value: `init` makes a state, `reduce` takes each element into it, `finalize`
 * makes the result of it. Each may give a promise. A dataset without elements gives `finalize(init())`. States may be of
 * any structure. Tensors of an element or of a replaced state that the new state does not hold are disposed.
 * @see RFC on windowing, "Reducer"
 */
export class Reducer<T, State, Result = State> {
  constructor(
    readonly init: (context: ReductionContext) => State | Promise<State>,
    readonly reduce: (state: State, element: T) => State | Promise<State>,
    readonly finalize: (
      state: State,
      context: ReductionContext,
    ) => Result | Promise<Result> = identity as never,
  ) {}
}

/** Any reducer, whatever its elements and states. */
export interface AnyReducer<Result = unknown> {
  init(context: ReductionContext): unknown;
  reduce(state: never, element: never): unknown;
  finalize(state: never, context: ReductionContext): Result | Promise<Result>;
}

function identity<T>(value: T): T {
  return value;
}
