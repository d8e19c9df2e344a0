import type { DType } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import { stackElements } from "../columns/stack.js";
import type { Batcher } from "./batcher.js";
import { type ElementShape, emptyDense } from "./element-shape.js";

/** Shape and dtype for a batch that may be empty. */
export interface DenseSettings {
  /** Shape of one element. Required only for an empty batch. */
  readonly shape: ElementShape | undefined;
  readonly dtype: DType;
}

/** A batcher that stacks elements of equal shape. */
export function denseBatcher({ shape, dtype }: DenseSettings): Batcher {
  return {
    batch(leaves, { elementIndex, tf, path }) {
      return stackElements(leaves, { elementIndex, tf }, path);
    },
    empty({ operator }) {
      if (shape === undefined || shape.some((size) => size === null || size < 0)) {
        throw new ArgumentError(
          "invalid-argument",
          `${operator}: the batch is empty, so the element shape is unknown; pass shape`,
          { reason: "empty" },
        );
      }
      return emptyDense(dtype, shape as readonly number[]);
    },
  };
}
