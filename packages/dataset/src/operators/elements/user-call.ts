import type { Tensor } from "@tfxio/tensor-adapter";
import { untilAborted, UserFunctionError } from "@tfxio/wire";
import { Failure } from "../../failure.js";
import type { Pass, TensorFlow } from "../../plan.js";
import { disposeElements, tensorsOf } from "../../columns/structure.js";

/** A caller's function and where it is used. */
export interface UserCall {
  readonly operator: string;
  readonly f: (element: never) => unknown;
  readonly tf: TensorFlow | undefined;
}

/**
 * Calls `f` on an element. With `tf`, tensors that a synchronous `f` made and did not return are disposed, as tf.tidy
 * does; an asynchronous one owns its temporaries. The element stays the engine's.
 * @throws {UserFunctionError} `user-function` with what `f` threw as the cause; what it made is disposed.
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
    // Not tf.tidy: it would dispose the tensors of an asynchronous function while that still works with them.
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

/** True for a promise of any realm. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/**
 * Result of {@link callUser}, or a promise of it if `f` returns one; a `Failure` for an element that failed before, and for
 * one for which `f` throws. The promise rejects only once the pass is aborted.
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
