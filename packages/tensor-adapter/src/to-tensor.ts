import type * as tfjs from "@tensorflow/tfjs-core";
import type { HostColumn, HostDense, HostRagged, HostSparse } from "./host-column.js";
import type { Float64Policy, Int64Policy } from "./narrowing.js";
import type { RaggedTensor } from "./ragged-tensor.js";
import type { SparseTensor } from "./sparse-tensor.js";

/** The part of TensorFlow.js that makes tensors. Pass the `tf` whose backend is set: this package imports none. */
export type TensorFactory = Pick<typeof tfjs, "tensor">;

/** Options of {@link toTensor}. */
export interface ToTensorOptions {
  readonly tf: TensorFactory;
  /** For int64, uint64 and uint32. Default `"int32"`: most ids and counts fit, and what does not is an error. */
  readonly int64?: Int64Policy | undefined;
  /** For float64. Default `"float32"`: exact or an error, since nothing is narrowed silently. */
  readonly float64?: Float64Policy | undefined;
  /** Named in errors. */
  readonly tensorName?: string | undefined;
}

/** The tensor that a host column becomes. */
export type TensorOf<Column extends HostColumn> = Column extends HostDense
  ? tfjs.Tensor
  : Column extends HostSparse
    ? SparseTensor
    : Column extends HostRagged
      ? RaggedTensor
      : never;

/** A tensor of any kind. The caller disposes it. */
export type AnyTensor = TensorOf<HostColumn>;
