import type { TensorContainer, TensorFlowModule } from "./tensorflow.js";
import type { StructuredField } from "../structured/structured-tensor.js";
import { aFunction, assertArgument, invalidArgument } from "@tfxio/wire/checks";
import { aTensorFlow } from "../argument-rules.js";

/** What {@link tidyTensors} may give: a tensor of any kind, or several by name or in a list. */
export type TidyResult = StructuredField | readonly TidyResult[] | { readonly [name: string]: TidyResult };

/**
 * `tf.tidy` with sparse, ragged and structured tensors as results, which its own type knows nothing of: every tensor made inside is
 * freed but those that `body` returns, whatever their kind. When `body` throws, all are freed.
 * @throws {ArgumentError} `invalid-argument` for a `body` that returns a promise: what it makes later would not be freed.
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
    // Else its failure, of which nobody can hear any more, would end the process.
    result.then(undefined, () => {});
    throw invalidArgument("body", "a function that is not async", body);
  };
  // Those are objects whose fields hold tensors, which is what tf.tidy looks for.
  return tf.tidy(run as () => TensorContainer) as unknown as Result;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
