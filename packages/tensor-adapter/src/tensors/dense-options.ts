import { MAX_ELEMENTS } from "../host/host-column.js";
import { ArgumentError, ConversionError } from "@tfxio/wire";
import { describeValue } from "@tfxio/wire/checks";
import type { Tensor } from "./tensorflow.js";
import { sizeOf } from "../rows/row-of-value.js";
import type { FillValue, TensorOpsOptions } from "./tensor-ops.js";

/** Options of `toDense`. */
export interface ToDenseOptions extends TensorOpsOptions {
  /** Fill value. Default 0, false or the empty string. */
  readonly defaultValue?: FillValue | undefined;
  /**
   * Size of every dimension, batch dimension first. Places without a value get the fill value, and values outside the shape are
   * dropped. Null means as large as needed, which is also the default for every dimension.
   */
  readonly shape?: readonly (number | null)[] | undefined;
}

/**
 * Returns the requested shape, with sizes from `needed` for dimensions that are null.
 * @param numFixed number of trailing dimensions whose sizes must equal those in `needed`, or be null.
 * @throws {ArgumentError} `invalid-argument` (`dense-shape`).
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) for 2^31 elements or more.
 */
export function resolvedShape(
  shape: ToDenseOptions["shape"],
  needed: readonly number[],
  numFixed: number,
): number[] {
  const asked = shape ?? needed.map(() => null);
  const fits =
    asked.length === needed.length &&
    asked.every((size, dimension) => {
      if (size === null) return true;
      const isFixed = dimension >= needed.length - numFixed;
      return isFixed ? size === needed[dimension] : Number.isSafeInteger(size) && size >= 0;
    });
  if (!fits) {
    const last =
      numFixed === 0 ? "" : `, and the last ${numFixed === 1 ? "one" : numFixed} must stay the same`;
    throw new ArgumentError(
      "invalid-argument",
      `Shape [${asked.map(String).join(", ")}] does not fit dimensions [${needed.join(", ")}]: it must have a size or null for each dimension${last}.`,
      { reason: "dense-shape", argument: "shape" },
    );
  }
  const resolved = asked.map((size, dimension) => size ?? (needed[dimension] as number));
  if (sizeOf(resolved) <= MAX_ELEMENTS) return resolved;
  throw new ConversionError(
    "out-of-range",
    `A tensor of shape [${resolved.join(", ")}] is too large; the maximum is ${MAX_ELEMENTS} elements.`,
    { reason: "batch-too-large" },
  );
}

/**
 * Returns the fill value for tensors with this dtype: `value`, or the default of the dtype if `value` is undefined. Text becomes
 * its UTF-8 bytes.
 * @throws {ArgumentError} `invalid-argument` (`default-value`) for a value that the dtype cannot hold.
 */
export function resolvedFill(value: FillValue | undefined, dtype: Tensor["dtype"]): FillValue {
  switch (dtype) {
    case "string":
      if (value === undefined) return new Uint8Array(0);
      if (typeof value === "string") return new TextEncoder().encode(value);
      if (ArrayBuffer.isView(value)) return value;
      break;
    case "bool":
      if (value === undefined || typeof value === "boolean") return value ?? false;
      break;
    case "int32":
      if (value === undefined || (typeof value === "number" && (value | 0) === value)) return value ?? 0;
      break;
    default:
      if (value === undefined || typeof value === "number") return value ?? 0;
  }
  throw new ArgumentError(
    "invalid-argument",
    `Expected a default value of dtype ${dtype}, found ${describeValue(value)}.`,
    {
      reason: "default-value",
      argument: "defaultValue",
    },
  );
}
