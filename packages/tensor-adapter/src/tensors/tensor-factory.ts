import type { TensorFlowModule } from "./tensorflow.js";

/**
 * The part of TensorFlow.js that makes tensors. Pass a `tf` with its backend set, because conversion never loads a backend. If
 * `tf` does not expose its backend, all tensors are built on the host.
 */
export type TensorFactory = Pick<TensorFlowModule, "tensor"> &
  Partial<Pick<TensorFlowModule, "backend" | "getBackend" | "engine">>;
