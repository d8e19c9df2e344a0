import type { ValueArray } from "../../../src/kernels/index.js";
import type { Draw } from "../wasm/draw.js";

const types = [
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
] as const;

/** A target between two margins that must not change. */
export interface Guarded<T extends ValueArray> {
  readonly target: T;
  readonly isMarginWhole: () => boolean;
}

const MARGIN = 64;

/** Returns an array of a random type with random bits. Its floats may include any NaN. */
export function drawValues(draw: Draw, length: number): ValueArray {
  return valuesOf(draw, draw.pick(types) as never, length);
}

/** Returns random values that start at the first or second element of a larger buffer. */
export function valuesOf<T extends ValueArray>(
  draw: Draw,
  ArrayType: new (buffer: ArrayBuffer) => T,
  length: number,
): T {
  const size = (ArrayType as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT;
  const words = new Uint32Array(Math.ceil((length * size) / 4) + 8);
  for (let i = 0; i < words.length; i++) words[i] = draw.below(2 ** 32) >>> draw.below(32);
  const whole = new ArrayType(words.buffer);
  const before = draw.below(2);
  return whole.subarray(before, before + length) as T;
}

/** Returns row splits of `numRows` rows of up to `longest` values. The first split may be above 0, as in a slice. */
export function drawSplits(draw: Draw, [numRows, longest]: readonly [number, number]): Int32Array {
  const splits = new Int32Array(numRows + 1);
  splits[0] = draw.below(5);
  const share = draw.pick([1, 2, 10]);
  for (let row = 0; row < numRows; row++) {
    const length = draw.oneIn(share) ? draw.below(longest + 1) : 0;
    splits[row + 1] = splits[row]! + length;
  }
  return splits;
}

/** Returns a random fill value for arrays of this type. */
export function drawFill(draw: Draw, { [Symbol.toStringTag]: tag }: ValueArray): number | bigint {
  const number = draw.pick([0, -1, 7, 300]);
  if (tag.startsWith("Big")) return BigInt(number);
  return tag.startsWith("Float") ? draw.pick([number, 0.5, Number.NaN, -0]) : number;
}

/** Returns a target of `length` elements of the type of `like`, between margins in a new buffer. */
export function guarded<T extends ValueArray>(like: T, length: number): Guarded<T> {
  const size = like.BYTES_PER_ELEMENT;
  const buffer = new ArrayBuffer(length * size + 2 * MARGIN);
  const bytes = new Uint8Array(buffer).fill(0xa5);
  const ArrayType = like.constructor as new (buffer: ArrayBuffer, offset: number, length: number) => T;
  return {
    target: new ArrayType(buffer, MARGIN, length),
    isMarginWhole: () =>
      [bytes.subarray(0, MARGIN), bytes.subarray(bytes.length - MARGIN)].every((margin) =>
        margin.every((byte) => byte === 0xa5),
      ),
  };
}

/** Returns the bits as bytes, so that different NaNs are distinguished. */
export function bitsOf({ buffer, byteOffset, byteLength }: ValueArray): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
