import type { TensorFlowModule } from "./tensorflow.js";

/**
 * The part of TensorFlow.js that makes tensors. Pass the `tf` whose backend is set: this package imports none. One that
 * does not tell its backend gets all tensors from the host.
 */
export type TensorFactory = Pick<TensorFlowModule, "tensor"> &
  Partial<Pick<TensorFlowModule, "backend" | "getBackend">>;
