/** @ts-ignore: an optional peer. Without it the compiler takes its types for `any`, which the types below turn into others. */
import type * as tfjs from "@tensorflow/tfjs-core";

// The only file that names the types of TensorFlow.js, so that declarations compile where it is not installed.

/** What is known of a tensor where TensorFlow.js is not installed. */
interface UnknownTensor {
  readonly dataId: object;
  readonly dtype: "float32" | "int32" | "bool" | "complex64" | "string";
  readonly shape: number[];
  readonly rank: number;
  readonly size: number;
  dispose(): void;
}

/** The keys of `any` are every string; those of a tensor are not. */
type IsInstalled = string extends keyof tfjs.Tensor ? false : true;

/** TensorFlow.js's `Tensor`. Where it is not installed, an interface that no type of host values fits. */
export type Tensor = IsInstalled extends true ? tfjs.Tensor : UnknownTensor;

/** The exports of TensorFlow.js. Unchecked where it is not installed. */
export type TensorFlowModule = typeof tfjs;

/** @ts-ignore: as above. */
export type { KernelBackend, TensorContainer } from "@tensorflow/tfjs-core";
