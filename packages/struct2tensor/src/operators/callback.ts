import { BytesColumn } from "@tfxio/arrow-encoding";
import { type DType, type HostArrays, type NumberDType, numberArrays } from "@tfxio/tensor-adapter";
import { UserFunctionError } from "@tfxio/wire";
import { shapeMismatch } from "../prensor/shape-mismatch.js";
import type { GraphNode } from "../expression/graph-node.js";

/** Calls the callback of a node. @throws {UserFunctionError} `user-function`, with the thrown value as its cause. */
export function callBack({ op, callback }: GraphNode, args: readonly unknown[]): unknown {
  try {
    return (callback as unknown as (...given: readonly unknown[]) => unknown)(...args);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new UserFunctionError(`The function of ${op} failed: ${message}`, { operator: op, cause });
  }
}

/**
 * Checks the array type of a callback's result, and the length if one is expected. Returns the result.
 * @throws {ConversionError} `shape-mismatch` (`expression-shape`) for a wrong length.
 * @throws {UserFunctionError} `user-function` for a wrong array type.
 */
export function checkedValues<D extends DType>(
  values: unknown,
  dtype: D,
  { length, op }: { readonly length?: number; readonly op: string },
): HostArrays[D] {
  const ArrayType = dtype === "string" ? BytesColumn : numberArrays[dtype as NumberDType];
  if (!(values instanceof ArrayType)) {
    throw new UserFunctionError(
      `The function of ${op} must return ${dtype} values (${ArrayType.name}), found ${describe(values)}.`,
      { operator: op },
    );
  }
  const found = (values as { readonly length: number }).length;
  if (length !== undefined && found !== length) {
    throw shapeMismatch(`The function of ${op} must return ${length} values, found ${found}.`);
  }
  return values as HostArrays[D];
}

/** Returns the name of an object's class, or the `typeof` of any other value. */
function describe(value: unknown): string {
  if (typeof value !== "object" || value === null) return typeof value;
  return (value as { readonly constructor?: { readonly name: string } }).constructor?.name ?? "object";
}
