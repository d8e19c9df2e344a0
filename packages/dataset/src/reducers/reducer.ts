import type { Cardinality } from "../cardinality.js";

/** Facts about a reduction that are known before its first element. */
export interface ReductionContext {
  /** Number of elements to reduce, as far as it is known. */
  readonly cardinality: Cardinality;
  /** The public function that the caller used, for error messages. */
  readonly operator: string;
}

/**
 * Reduces the elements of a dataset to one value. `init` creates a state, `reduce` folds each element into the state, and
 * `finalize` turns the last state into the result. Without `finalize`, the last state is the result. Each function may return a
 * promise. The result of an empty dataset is `finalize(init())`. States may have any structure. After each step, the tensors of
 * the element and of the old state are disposed, except those in the new state.
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

/** A reducer with any element and state types. */
export interface AnyReducer<Result = unknown> {
  init(context: ReductionContext): unknown;
  reduce(state: never, element: never): unknown;
  finalize(state: never, context: ReductionContext): Result | Promise<Result>;
}

function identity<T>(value: T): T {
  return value;
}
