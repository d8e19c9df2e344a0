import { isTfxioError, UserFunctionError } from "@tfxio/wire";
import { assertFinite } from "../cardinality.js";
import { disposeElements, tensorsOf } from "../columns/structure.js";
import { Failure } from "../failure.js";
import { isPromise } from "../operators/elements/user-call.js";
import type { Plan } from "../plan.js";
import { Run } from "../run.js";
import type { AnyReducer, ReductionContext } from "./reducer.js";

/** Number of elements requested at once. */
const NUM_ROWS = 256;

/**
 * Reduces all elements of a plan to one value. Once the pass has begun, any error disposes the tensors of the state.
 * @throws {ArgumentError} `invalid-argument` (`infinite-dataset`) if the plan is infinite.
 * @throws {UserFunctionError} `user-function` if a function of the reducer throws. An error of `reduce` includes the element's
 *   index. A TfxioError is rethrown unchanged. Also throws the error of a failed element, and the reason of an aborted `signal`.
 */
export async function runReduction<Result>(
  plan: Plan,
  reducer: AnyReducer<Result>,
  operator: string,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const cardinality = plan.cardinality();
  assertFinite(operator, cardinality);
  signal?.throwIfAborted();
  const context: ReductionContext = { cardinality, operator };
  const run = new Run(plan, { signal, onElementError: "end", onClose: () => undefined });
  let state: unknown;
  try {
    state = await guarded(operator, undefined, () => reducer.init(context));
    for (let elementIndex = 0; ; ) {
      const rows = await run.read(NUM_ROWS);
      if (rows.length === 0) break;
      state = await reduceRows(rows, state, { reducer, operator, elementIndex });
      elementIndex += rows.length;
    }
    return await guarded(operator, undefined, () => reducer.finalize(state as never, context));
  } catch (error) {
    disposeElements([state]);
    throw error;
  } finally {
    await run.close();
  }
}

/**
 * Reduces elements in memory to one value. Consumes the elements.
 * @param elementIndex Index of the first element, for error messages.
 * @throws The errors of {@link runReduction}.
 */
export async function reduceElements(
  elements: readonly unknown[],
  reducer: AnyReducer,
  operator: string,
  elementIndex: number,
): Promise<unknown> {
  const context: ReductionContext = { cardinality: elements.length, operator };
  // What to dispose if a function of the reducer throws: the elements during `init`, and the state during `finalize`. In between,
  // `reduceRows` disposes what it holds.
  let held = elements;
  try {
    const initial = await guarded(operator, undefined, () => reducer.init(context));
    held = [];
    const state = await reduceRows(elements, initial, { reducer, operator, elementIndex });
    held = [state];
    return await guarded(operator, undefined, () => reducer.finalize(state as never, context));
  } catch (error) {
    disposeElements(held);
    throw error;
  }
}

interface Reduction {
  readonly reducer: AnyReducer;
  readonly operator: string;
  readonly elementIndex: number;
}

/** Folds rows into a state and returns the last state. Consumes the rows, and every state except the last. */
async function reduceRows(
  rows: readonly unknown[],
  initialState: unknown,
  { reducer, operator, elementIndex }: Reduction,
): Promise<unknown> {
  let state = initialState;
  let row = 0;
  try {
    for (; row < rows.length; row++) {
      const element = rows[row];
      if (element instanceof Failure) throw element.error;
      const next = guarded(operator, elementIndex + row, () =>
        reducer.reduce(state as never, element as never),
      );
      const replaced = isPromise(next) ? await next : next;
      // A state that was updated in place need not be searched for tensors.
      if (replaced === state && tensorsOf(element).length === 0) continue;
      const kept = new Set(tensorsOf(replaced));
      for (const tensor of tensorsOf([state, element])) if (!kept.has(tensor)) tensor.dispose();
      state = replaced;
    }
    return state;
  } catch (error) {
    disposeElements([state, ...rows.slice(row)]);
    throw error;
  }
}

/** Calls `f` and wraps its errors in a {@link UserFunctionError}. Rethrows a TfxioError unchanged. */
function guarded<T>(
  operator: string,
  elementIndex: number | undefined,
  f: () => T | Promise<T>,
): T | Promise<T> {
  const fail = (error: unknown): never => {
    if (isTfxioError(error)) throw error;
    const place = elementIndex === undefined ? "" : ` for element ${elementIndex}`;
    throw new UserFunctionError(`${operator}: the reducer failed${place}: ${String(error)}`, {
      operator,
      ...(elementIndex !== undefined && { elementIndex }),
      cause: error,
    });
  };
  try {
    const result = f();
    return isPromise(result) ? result.catch(fail) : result;
  } catch (error) {
    return fail(error);
  }
}
