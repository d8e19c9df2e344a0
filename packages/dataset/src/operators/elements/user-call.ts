import type { Tensor } from "@tfxio/tensor-adapter";
import { untilAborted, UserFunctionError } from "@tfxio/wire";
import { Failure } from "../../failure.js";
import type { Pass, TensorFlow } from "../../plan.js";
import { disposeElements, tensorsOf } from "../../columns/structure.js";

/** A caller's function and the operator that calls it. */
export interface UserCall {
  readonly operator: string;
  readonly f: (element: never) => unknown;
  readonly tf: TensorFlow | undefined;
}

/**
 * Calls `f` on an element. With `tf`, disposes the tensors that a synchronous `f` created and did not return, like tf.tidy.
 * An asynchronous `f` owns its temporaries. The caller of this function keeps the element.
 * @throws {UserFunctionError} `user-function`, with the exception of `f` as the cause. Tensors that `f` created are disposed.
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
    // tf.tidy would dispose the tensors of an asynchronous function while it still uses them.
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

/** True for a promise from any realm. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/**
 * The result of {@link callUser}, or a promise of it if `f` returns one. Returns a `Failure` for a failed element, and when
 * `f` throws. The promise rejects only once the pass is aborted.
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
