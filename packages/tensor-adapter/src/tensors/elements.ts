import { ArgumentError, UnsupportedError } from "@tfxio/wire";
import type { Tensor } from "./tensorflow.js";
import { sizeOf } from "../rows/row-of-value.js";
import { type FillValue, NO_POSITION, type TensorOps } from "./tensor-ops.js";
import { type DeviceLayouts, deviceLayoutsOf } from "./device-layouts.js";

/** Numbers as stored by backends; bool as bytes. */
type NumberValues = Int32Array | Float32Array | Uint8Array;

const MAX_FLOAT_INTEGER = 2 ** 24;
const WEBGPU = "webgpu";

/**
 * Returns copies of the elements of `values` at `positions`, as a tensor of shape `[positions.length, …inner]`. The position
 * {@link NO_POSITION} yields the fill value. Operations of TensorFlow.js reject strings or decode their bytes, so strings are
 * moved in JavaScript memory, where every backend keeps them.
 * @throws {UnsupportedError} `unsupported` (`no-device-layouts`) for int32 on WebGPU if `tf` has no {@link DeviceLayouts}.
 * {@link sliceElements} and {@link concatElements} throw this error too.
 * @throws {UnsupportedError} `unsupported` on WebGPU, if `gather` of TensorFlow.js would have to read from 2^24 or more elements.
 */
export function takeElements(
  tf: TensorOps,
  values: Tensor,
  positions: Int32Array,
  fill: FillValue = 0,
): Tensor {
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
  const layouts = wordLayouts(tf, values);
  if (layouts !== undefined) {
    const ArrayType = values.dtype === "float32" ? Float32Array : Int32Array;
    const filler = ArrayType.of(Number(fill));
    if (numValues > 0) return layouts.taken(tf, values, positions, filler);
    return tf.tensor(new ArrayType(sizeOf(shape)).fill(filler[0] as number), shape, values.dtype);
  }
  if (tf.getBackend() === WEBGPU && numValues >= MAX_FLOAT_INTEGER) {
    const feature = "gathering from 2^24 or more elements with TensorFlow.js on WebGPU";
    throw new UnsupportedError(
      `On WebGPU, TensorFlow.js's gather rounds positions above 2^24, so it cannot gather from ${numValues} elements.`,
      { feature },
    );
  }
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
 * Returns the kernels that must move these values, if any. On WebGPU, gather, slice and concat of TensorFlow.js convert int32 to
 * float32, which rounds above 2^24. While a gradient is taken, TensorFlow.js must record every operation on float32, so the
 * kernels then move only int32 and bool, which have no gradient.
 * @throws {UnsupportedError} `unsupported` (`no-device-layouts`).
 */
function wordLayouts(tf: TensorOps, { dtype }: Tensor): DeviceLayouts | undefined {
  if (tf.getBackend() !== WEBGPU) return undefined;
  const layouts = deviceLayoutsOf(tf);
  if (layouts === undefined && dtype === "int32") {
    const feature =
      "moving int32 values on WebGPU without withDeviceLayouts(tf) of @tfxio/tensor-adapter/webgpu";
    throw new UnsupportedError(
      `TensorFlow.js rounds int32 values above 2^24 when it moves them on WebGPU; pass withDeviceLayouts(tf) as tf.`,
      { reason: "no-device-layouts", feature },
    );
  }
  const isExact = dtype === "int32" || dtype === "bool" || (dtype === "float32" && !isTakingGradient(tf));
  return isExact ? layouts : undefined;
}

/** True inside `tf.grad` and similar functions. */
function isTakingGradient(tf: TensorOps): boolean {
  return tf.engine().state.gradientDepth > 0;
}

/**
 * True for backends whose values are in host memory, or one copy away from it. Moving values in host memory is dozens of times
 * faster than the `gather` of these backends. False while a gradient is taken, because TensorFlow.js must then record every
 * operation.
 */
function areOnHost(tf: TensorOps): boolean {
  return ["cpu", "wasm", "tensorflow"].includes(tf.getBackend()) && !isTakingGradient(tf);
}

function takenOnHost(
  tf: TensorOps,
  values: Tensor,
  positions: Int32Array,
  innerSize: number,
  fill: number,
): NumberValues {
  const source = tf.engine().readSync(values.dataId) as NumberValues;
  const ArrayType = source.constructor as new (length: number) => NumberValues;
  const taken = new ArrayType(positions.length * innerSize);
  const filler = new ArrayType(1).fill(fill);
  // Copy words, not numbers, because reading a signalling NaN as a number can turn it into a quiet NaN.
  const [from, to, [word = 0]] = [wordsOf(source), wordsOf(taken), wordsOf(filler)];
  for (let at = 0; at < positions.length; at++) {
    const position = positions[at] as number;
    for (let inner = 0; inner < innerSize; inner++) {
      to[at * innerSize + inner] =
        position === NO_POSITION ? word : (from[position * innerSize + inner] as number);
    }
  }
  return taken;
}

function wordsOf(values: NumberValues): Uint8Array | Uint32Array {
  const { buffer, byteOffset, length } = values;
  return values.BYTES_PER_ELEMENT === 1
    ? new Uint8Array(buffer, byteOffset, length)
    : new Uint32Array(buffer, byteOffset, length);
}

function gathered(tf: TensorOps, values: Tensor, positions: Int32Array): Tensor {
  return tf.gather(values, tf.tensor(positions, [positions.length], "int32"));
}

/** Returns elements `start` to `end` (exclusive) along the first dimension. */
export function sliceElements(tf: TensorOps, values: Tensor, start: number, end: number): Tensor {
  const [, ...inner] = values.shape;
  const shape = [end - start, ...inner];
  const innerSize = sizeOf(inner);
  if (values.dtype === "string")
    return tf.tensor(bytesOf(tf, values).slice(start * innerSize, end * innerSize), shape, "string");
  const layouts = sizeOf(shape) > 0 ? wordLayouts(tf, values) : undefined;
  if (layouts !== undefined) return layouts.sliced(tf, values, start, end);
  return tf.slice(values, [start, ...inner.map(() => 0)], shape);
}

/** Concatenates tensors along the first dimension. All must have the same dtype and the same sizes in the other dimensions. */
export function concatElements(tf: TensorOps, parts: readonly Tensor[]): Tensor {
  const [first, ...rest] = parts as [Tensor, ...Tensor[]];
  const [, ...inner] = first.shape;
  for (const { dtype, shape } of rest) {
    if (dtype === first.dtype && String(shape.slice(1)) === String(inner)) continue;
    throw new ArgumentError(
      "invalid-argument",
      `Cannot join ${first.dtype} values of shape [${inner.join(", ")}] with ${dtype} values of shape [${shape.slice(1).join(", ")}].`,
      { reason: "unlike-tensors", argument: "tensors" },
    );
  }
  const shape = [parts.reduce((total, { shape: [size = 0] }) => total + size, 0), ...inner];
  if (first.dtype === "string") {
    return tf.tensor(
      parts.flatMap((part) => bytesOf(tf, part)),
      shape,
      "string",
    );
  }
  const layouts = sizeOf(shape) > 0 ? wordLayouts(tf, first) : undefined;
  if (layouts !== undefined) {
    const some = parts.filter(({ size }) => size > 0);
    return layouts.joined(tf, some, shape);
  }
  return tf.concat([...parts]);
}

// Reads through the engine, because `dataSync` decodes the bytes as UTF-8, and they may be arbitrary.
function bytesOf(tf: TensorOps, values: Tensor): readonly Uint8Array[] {
  return tf.engine().readSync(values.dataId) as unknown as readonly Uint8Array[];
}
