import type { Tensor } from "@tfxio/tensor-adapter";
import { untilAborted, UserFunctionError } from "@tfxio/wire";
import { Failure } from "../../failure.js";
import type { Pass, TensorFlow } from "../../plan.js";
import { disposeElements, tensorsOf } from "../../columns/structure.js";

/** A caller's function and the operator that calls it. */
export interface UserCall {
  /** Name of the operator, for error messages. */
  readonly operator: string;
  readonly f: (element: never) => unknown;
  /** Undefined if the operator comes before `withTensors`. */
  readonly tf: TensorFlow | undefined;
}

/**
 * Calls `f` with an element and returns its result. With `tf`, disposes the tensors that a synchronous `f` created and did not
 * return, like `tf.tidy`. An asynchronous `f` must dispose its own temporary tensors. The caller still owns the element.
 * @throws {UserFunctionError} `user-function` if `f` throws, with its exception as the cause. With `tf`, all tensors that a
 *   synchronous `f` created are then disposed. If `f` returns a promise that rejects, the promise of this function rejects with
 *   a UserFunctionError too. If the pass is aborted, that promise rejects with the reason of the signal.
 */
export function callUser(
  { operator, f, tf }: UserCall,
  element: unknown,
  elementIndex: number,
  pass: Pass,
): unknown {
  const fail = (error: unknown): never => failed(operator, elementIndex, error);
  let result: unknown;
  const engine = tf?.engine();
  engine?.startScope(operator);
  let kept: Tensor[] = [];
  try {
    result = (f as (element: unknown) => unknown)(element);
    const made = engine?.state.activeScope.track ?? [];
    // Unlike tf.tidy, keeps all tensors of an asynchronous function, which may still use them.
    if (made.length > 0) kept = isPromise(result) ? [...made] : tensorsOf(result);
  } catch (error) {
    return fail(error);
  } finally {
    engine?.endScope(kept);
  }
  if (!isPromise(result)) return result;
  const discard = (late: unknown): void => disposeElements([late]);
  return untilAborted(result, pass.signal, discard).catch((error: unknown) => {
    if (pass.signal.aborted) throw error;
    return fail(error);
  });
}

function failed(operator: string, elementIndex: number, cause: unknown): never {
  const message = `${operator}: the function failed for element ${elementIndex}: ${String(cause)}`;
  throw new UserFunctionError(message, { operator, elementIndex, cause });
}

/** Returns true for a promise from any realm, and for any other object with a `then` method. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Disposes the tensors of `element` if a call that uses it is abandoned because the pass is aborted. */
export function orDispose<Result>(called: Promise<Result>, element: unknown): Promise<Result> {
  return called.catch((error: unknown) => {
    disposeElements([element]);
    throw error;
  });
}

/**
 * Calls {@link callUser}, but returns a `Failure` if the element failed or `f` throws. If `f` returns a promise, so does this
 * function. That promise rejects only if the pass is aborted.
 */
export function callForElement(call: UserCall, element: unknown, elementIndex: number, pass: Pass): unknown {
  if (element instanceof Failure) return element;
  try {
    const result = callUser(call, element, elementIndex, pass);
    if (!isPromise(result)) return result;
    return result.catch((error: unknown) => {
      if (pass.signal.aborted) throw error;
      return new Failure(error);
    });
  } catch (error) {
    return new Failure(error);
  }
}
