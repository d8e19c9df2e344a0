import { ArgumentError } from "@tfxio/wire";
import type { Tensor, TensorFlowModule } from "./tensorflow.js";
import { aList, assertArgument, invalidArgument, required, type Rule } from "@tfxio/wire/checks";
import { aTensorFlow } from "../argument-rules.js";

/** The part of TensorFlow.js that operations on sparse and ragged tensors need. Pass a `tf` with its backend set. */
export type TensorOps = Pick<
  TensorFlowModule,
  "tensor" | "tidy" | "reshape" | "gather" | "concat" | "slice" | "engine" | "backend" | "getBackend"
>;

/** Options of operations that make tensors. */
export interface TensorOpsOptions {
  readonly tf: TensorOps;
}

const functions = [
  "tensor",
  "tidy",
  "reshape",
  "gather",
  "concat",
  "slice",
  "engine",
  "getBackend",
] as const satisfies (keyof TensorOps)[];

/** The option `tf` of operations on sparse and ragged tensors. */
export const aTensorOps: Rule = required(aTensorFlow(...functions));

/** Returns the error for an invalid part of a tensor. `rule` is the text after "must". */
export function badPart(argument: string, rule: string, found: string): ArgumentError {
  return new ArgumentError("invalid-argument", `${argument} must ${rule}, found ${found}.`, { argument });
}

/** Fill value of a dense tensor. A string is encoded as UTF-8. */
export type FillValue = number | boolean | string | Uint8Array;

/** Marks a position without a value, which receives the fill value. */
export const NO_POSITION = -1;

/** True for equal dtype, shape and values; NaN equals NaN. Reads from the device without blocking. */
export async function sameElements(left: Tensor, right: Tensor): Promise<boolean> {
  if (left.dtype !== right.dtype || String(left.shape) !== String(right.shape)) return false;
  if (left.dtype === "string") {
    const [a, b] = (await Promise.all([left.bytes(), right.bytes()])) as [Uint8Array[], Uint8Array[]];
    return a.every((bytes, index) => sameNumbers(bytes, b[index] as Uint8Array));
  }
  const [a, b] = (await Promise.all([left.data(), right.data()])) as [Float32Array, Float32Array];
  return sameNumbers(a, b);
}

/** True for equal lengths and values; NaN equals NaN. */
export function sameNumbers(left: ArrayLike<number>, right: ArrayLike<number>): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) {
    const [a, b] = [left[index], right[index]];
    if (a !== b && !(Number.isNaN(a) && Number.isNaN(b))) return false;
  }
  return true;
}

/**
 * Checks that rows `start` to `end` (exclusive) exist in a tensor of `numRows` rows.
 * @throws {ArgumentError} `invalid-argument` (`row-range`).
 */
export function assertRowRange(start: number, end: number, numRows: number): void {
  if (Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end <= numRows)
    return;
  throw new ArgumentError(
    "invalid-argument",
    `start and end must be integers with 0 <= start <= end <= ${numRows}, found ${start} and ${end}.`,
    {
      reason: "row-range",
      argument: "end",
    },
  );
}

/**
 * Throws unless `tensors` is a non-empty list of instances of `kind`.
 * @throws {ArgumentError} `invalid-argument`, with reason `no-tensors` for an empty list.
 */
export function assertSome(
  tensors: readonly unknown[],
  kind: abstract new (...of: never[]) => unknown,
): void {
  assertArgument("tensors", tensors, aList);
  const other = tensors.findIndex((tensor) => !(tensor instanceof kind));
  if (other >= 0) throw invalidArgument("tensors", `a ${kind.name}`, tensors[other], { at: `[${other}]` });
  if (tensors.length > 0) return;
  throw new ArgumentError("invalid-argument", "There are no tensors to join.", {
    reason: "no-tensors",
    argument: "tensors",
  });
}
