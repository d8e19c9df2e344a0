import { ArgumentError } from "@tfxio/wire";
import type * as tfjs from "@tensorflow/tfjs-core";
import { assertList, assertTensorOptions, invalidArgument } from "./check-argument.js";
import { sizeOf } from "./row-of-value.js";

/** The part of TensorFlow.js that operations on sparse and ragged tensors need. Pass the `tf` whose backend is set. */
export type TensorOps = Pick<
  typeof tfjs,
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

/** @param known options beside `tf`. @throws {ArgumentError} `invalid-argument` for options that cannot be. */
export function assertOpsOptions(
  options: TensorOpsOptions,
  owner: string,
  known: readonly string[] = [],
): void {
  assertTensorOptions(options, known, owner, functions);
}

/** What a dense tensor holds where there is no value; a string stands for its UTF-8. */
export type FillValue = number | boolean | string | Uint8Array;

/** Numbers as backends keep them; bool as bytes. */
type NumberValues = Int32Array | Float32Array | Uint8Array;

/** Stands for the fill value among positions. */
export const NO_POSITION = -1;

/**
 * Elements of `values` at `positions`, `[positions.length, …inner]`, the fill value at {@link NO_POSITION}.
 * Numbers are gathered on the device, where there is one. Strings, which every backend keeps in JavaScript memory, are moved there, as
 * TensorFlow.js's own operations take no strings or decode their bytes.
 */
export function takeElements(
  tf: TensorOps,
  values: tfjs.Tensor,
  positions: Int32Array,
  fill: FillValue = 0,
): tfjs.Tensor {
  const [numValues = 0, ...inner] = values.shape;
  const shape = [positions.length, ...inner];
  const innerSize = sizeOf(inner);
  if (values.dtype === "string") {
    const bytes = bytesOf(tf, values);
    const filler = fill as Uint8Array;
    const taken: Uint8Array[] = [];
    for (const position of positions) {
      for (let at = 0; at < innerSize; at++) {
        taken.push(position === NO_POSITION ? filler : (bytes[position * innerSize + at] as Uint8Array));
      }
    }
    return tf.tensor(taken, shape, "string");
  }
  if (positions.length * innerSize === 0) return tf.tensor([], shape, values.dtype);
  if (areOnHost(tf))
    return tf.tensor(takenOnHost(tf, values, positions, innerSize, Number(fill)), shape, values.dtype);
  return tf.tidy(() => {
    if (!positions.includes(NO_POSITION)) return gathered(tf, values, positions);
    const filler = tf.tensor(Array<number>(innerSize).fill(Number(fill)), [1, ...inner], values.dtype);
    const withFiller = numValues === 0 ? filler : tf.concat([values, filler]);
    return gathered(
      tf,
      withFiller,
      positions.map((position) => (position === NO_POSITION ? numValues : position)),
    );
  });
}

/**
 * True for backends that keep or hand out values in host memory at the price of a copy, where moving them there is tens of
 * times faster than their `gather`. Not while a gradient is taken: it has to see every operation.
 */
function areOnHost(tf: TensorOps): boolean {
  return ["cpu", "wasm", "tensorflow"].includes(tf.getBackend()) && tf.engine().state.gradientDepth === 0;
}

function takenOnHost(
  tf: TensorOps,
  values: tfjs.Tensor,
  positions: Int32Array,
  innerSize: number,
  fill: number,
): NumberValues {
  const source = tf.engine().readSync(values.dataId) as NumberValues;
  const ArrayType = source.constructor as new (length: number) => NumberValues;
  const taken = new ArrayType(positions.length * innerSize);
  for (let at = 0; at < positions.length; at++) {
    const position = positions[at] as number;
    for (let inner = 0; inner < innerSize; inner++) {
      taken[at * innerSize + inner] =
        position === NO_POSITION ? fill : (source[position * innerSize + inner] as number);
    }
  }
  return taken;
}

function gathered(tf: TensorOps, values: tfjs.Tensor, positions: Int32Array): tfjs.Tensor {
  return tf.gather(values, tf.tensor(positions, [positions.length], "int32"));
}

/** Elements `start` to `end` (exclusive) along the first dimension. */
export function sliceElements(tf: TensorOps, values: tfjs.Tensor, start: number, end: number): tfjs.Tensor {
  const [, ...inner] = values.shape;
  if (values.dtype === "string") {
    const innerSize = sizeOf(inner);
    const bytes = bytesOf(tf, values).slice(start * innerSize, end * innerSize);
    return tf.tensor(bytes, [end - start, ...inner], "string");
  }
  return tf.slice(values, [start, ...inner.map(() => 0)], [end - start, ...inner]);
}

/** One after the other along the first dimension; all of one dtype and of one shape but for that dimension. */
export function concatElements(tf: TensorOps, parts: readonly tfjs.Tensor[]): tfjs.Tensor {
  const [first, ...rest] = parts as [tfjs.Tensor, ...tfjs.Tensor[]];
  const [, ...inner] = first.shape;
  for (const { dtype, shape } of rest) {
    if (dtype === first.dtype && String(shape.slice(1)) === String(inner)) continue;
    throw new ArgumentError(
      "invalid-argument",
      `Cannot join values of ${first.dtype} [${inner.join(", ")}] and of ${dtype} [${shape.slice(1).join(", ")}].`,
      { reason: "unlike-tensors", argument: "tensors" },
    );
  }
  const numValues = parts.reduce((total, { shape }) => total + (shape[0] ?? 0), 0);
  if (first.dtype === "string") {
    return tf.tensor(
      parts.flatMap((part) => bytesOf(tf, part)),
      [numValues, ...inner],
      "string",
    );
  }
  return tf.concat([...parts]);
}

/** True when both hold the same values in the same shape; NaN equals NaN. Reads from the device without blocking. */
export async function sameElements(left: tfjs.Tensor, right: tfjs.Tensor): Promise<boolean> {
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

/** Rows `start` to `end` within `numRows`. @throws {ArgumentError} `invalid-argument` (`row-range`). */
export function assertRowRange(start: number, end: number, numRows: number): void {
  if (Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end <= numRows)
    return;
  throw new ArgumentError("invalid-argument", `There are no rows ${start} to ${end}; there are ${numRows}.`, {
    reason: "row-range",
    argument: "end",
  });
}

/**
 * Tensors of one class, of which at least one is needed.
 * @throws {ArgumentError} `invalid-argument`, (`no-tensors`) for an empty list.
 */
export function assertSome(
  tensors: readonly unknown[],
  kind: abstract new (...of: never[]) => unknown,
): void {
  assertList("tensors", tensors);
  const other = tensors.find((tensor) => !(tensor instanceof kind));
  if (other !== undefined) throw invalidArgument("tensors", `a list of ${kind.name}`, other);
  if (tensors.length > 0) return;
  throw new ArgumentError("invalid-argument", "There are no tensors to join.", {
    reason: "no-tensors",
    argument: "tensors",
  });
}

// dataSync() would decode them as UTF-8, which bytes need not be.
function bytesOf(tf: TensorOps, values: tfjs.Tensor): readonly Uint8Array[] {
  return tf.engine().readSync(values.dataId) as unknown as readonly Uint8Array[];
}
