import type * as tfjs from "@tensorflow/tfjs-core";
import { assertFunction, assertTensorFlow } from "./check-argument.js";
import type { StructuredField } from "./structured/structured-tensor.js";

/** What {@link tidyTensors} may give: a tensor of any kind, or several by name or in a list. */
export type TidyResult = StructuredField | readonly TidyResult[] | { readonly [name: string]: TidyResult };

/**
 * `tf.tidy` with sparse, ragged and structured tensors as results, which its own type knows nothing of: every tensor made inside is
 * freed but those that `body` returns, whatever their kind. When `body` throws, all are freed.
 */
export function tidyTensors<Result extends TidyResult>(
  tf: Pick<typeof tfjs, "tidy">,
  body: () => Result,
): Result {
  assertTensorFlow(tf, ["tidy"]);
  assertFunction("body", body);
  // Those are objects whose fields hold tensors, which is what tf.tidy looks for.
  return tf.tidy(body as unknown as () => tfjs.TensorContainer) as unknown as Result;
}
