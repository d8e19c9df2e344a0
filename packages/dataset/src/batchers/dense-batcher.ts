import type { DType } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import { stackElements } from "../columns/stack.js";
import type { Batcher } from "./batcher.js";
import { type ElementShape, emptyDense } from "./element-shape.js";

/** Shape and dtype of an empty batch. Any other batch takes both from its elements. */
export interface DenseSettings {
  /** Shape of one element, without the batch dimension. Required only for an empty batch. */
  readonly shape: ElementShape | undefined;
  readonly dtype: DType;
}

/** Creates a batcher that stacks elements of equal shape, as `Dataset.batch` does. */
export function denseBatcher({ shape, dtype }: DenseSettings): Batcher {
  return {
    batch(leaves, { path, ...context }) {
      return stackElements(leaves, context, path);
    },
    empty({ operator }) {
      if (shape === undefined || shape.some((size) => size === null || size < 0)) {
        throw new ArgumentError(
          "invalid-argument",
          `${operator}: the shape of an element must be known, because the batch is empty. Pass { shape }.`,
          { reason: "empty" },
        );
      }
      return emptyDense(dtype, shape as readonly number[]);
    },
  };
}
