import type { TensorContainer, TensorFlowModule } from "./tensorflow.js";
import type { StructuredField } from "../structured/structured-tensor.js";
import { aFunction, assertArgument, unusableArgument } from "@tfxio/wire/checks";
import { aTensorFlow } from "../argument-rules.js";

/** Result of {@link tidyTensors}: a tensor of any kind, or several by name or in a list. */
export type TidyResult = StructuredField | readonly TidyResult[] | { readonly [name: string]: TidyResult };

/**
 * Runs `body` like `tf.tidy`, but `body` can also return sparse, ragged and structured tensors. Frees every tensor that
 * `body` creates, except those that `body` returns. If `body` throws, frees all of them.
 * @throws {ArgumentError} `invalid-argument` if `body` returns a promise, because tensors created later would not be freed.
 */
export function tidyTensors<Result extends TidyResult>(
  tf: Pick<TensorFlowModule, "tidy">,
  body: () => Result,
): Result {
  assertArgument("tf", tf, aTensorFlow("tidy"));
  assertArgument("body", body, aFunction);
  const run = (): unknown => {
    const result: unknown = body();
    if (!isPromise(result)) return result;
    // Prevents an unhandled rejection, which would end the process.
    result.then(undefined, () => {});
    throw unusableArgument("body", "must not return a promise");
  };
  // tf.tidy finds the tensors of a SparseTensor, RaggedTensor or StructuredTensor in its public fields.
  return tf.tidy(run as () => TensorContainer) as unknown as Result;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
