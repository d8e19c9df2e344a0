/** @ts-ignore: an optional peer. Without it, its types are `any`. Only `Tensor` has a substitute below. */
import type * as tfjs from "@tensorflow/tfjs-core";

// No other file of this package imports types of TensorFlow.js, so that the package's declarations
// compile without TensorFlow.js.

/** The type of a tensor if TensorFlow.js is not installed. */
interface UnknownTensor {
  readonly dataId: object;
  readonly dtype: "float32" | "int32" | "bool" | "complex64" | "string";
  readonly shape: number[];
  readonly rank: number;
  readonly size: number;
  dispose(): void;
}

/** False if the types are missing: `tfjs.Tensor` is then `any`, which has every string as a key. */
type IsInstalled = string extends keyof tfjs.Tensor ? false : true;

/**
 * TensorFlow.js's `Tensor`. If TensorFlow.js is not installed, a substitute that the compiler can distinguish from a host column.
 */
export type Tensor = IsInstalled extends true ? tfjs.Tensor : UnknownTensor;

/** The exports of TensorFlow.js; `any` if it is not installed. */
export type TensorFlowModule = typeof tfjs;

/** @ts-ignore: as above. */
export type { KernelBackend, TensorContainer } from "@tensorflow/tfjs-core";
