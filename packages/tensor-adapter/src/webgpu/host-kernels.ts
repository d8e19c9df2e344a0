import type { TensorArray } from "../narrowing.js";

/** A ragged column's buffers and the dense form that they get. */
export interface PadPlan {
  readonly values: TensorArray;
  readonly nestedRowSplits: readonly Int32Array[];
  /** Size of an innermost value. */
  readonly innerSize: number;
  /** Size of each ragged dimension in the result; what is longer is cut off. */
  readonly sizes: readonly number[];
  readonly numElements: number;
  readonly fill: number;
}

/** The dense form on the host; the kernel's twin. */
export function padOnHost({
  values,
  nestedRowSplits,
  innerSize,
  sizes,
  numElements,
  fill,
}: PadPlan): TensorArray {
  const ArrayType = values.constructor as new (length: number) => TensorArray;
  const result = new ArrayType(numElements).fill(fill);
  const strides = stridesOf(sizes, innerSize);
  const put = (level: number, list: number, at: number): void => {
    const splits = nestedRowSplits[level] as Int32Array;
    const begin = splits[list] as number;
    const size = Math.min((splits[list + 1] as number) - begin, sizes[level] as number);
    if (level === sizes.length - 1) {
      result.set(values.subarray(begin * innerSize, (begin + size) * innerSize), at);
    } else {
      for (let item = 0; item < size; item++)
        put(level + 1, begin + item, at + item * (strides[level + 1] as number));
    }
  };
  if (numElements > 0) {
    const numRows = (nestedRowSplits[0]?.length ?? 1) - 1;
    for (let row = 0; row < numRows; row++) put(0, row, row * (strides[0] as number));
  }
  return result;
}

/** Elements of a row, then of an item of each ragged dimension, the innermost value's size last. */
export function stridesOf(sizes: readonly number[], innerSize: number): number[] {
  const strides = [innerSize];
  for (const size of sizes.toReversed()) strides.unshift((strides[0] as number) * size);
  return strides;
}

/** `[row, position in each ragged dimension …, position in the inner shape …]` of every value, flat. */
export function indicesOnHost(
  nestedRowSplits: readonly Int32Array[],
  innerShape: readonly number[],
  numValues: number,
): Int32Array {
  const rank = 1 + nestedRowSplits.length + innerShape.length;
  const innerSize = innerShape.reduce((product, size) => product * size, 1);
  const indices = new Int32Array(numValues * rank);
  const place: number[] = [];
  let at = 0;
  const visit = (level: number, list: number): void => {
    if (level === nestedRowSplits.length) {
      for (let inner = 0; inner < innerSize; inner++) {
        for (const [dimension, position] of place.entries()) indices[at + dimension] = position;
        let rest = inner;
        for (let dimension = innerShape.length - 1; dimension >= 0; dimension--) {
          const size = innerShape[dimension] as number;
          indices[at + place.length + dimension] = rest % size;
          rest = Math.floor(rest / size);
        }
        at += rank;
      }
      return;
    }
    const splits = nestedRowSplits[level] as Int32Array;
    const begin = splits[list] as number;
    for (let item = begin; item < (splits[list + 1] as number); item++) {
      place.push(item - begin);
      visit(level + 1, item);
      place.pop();
    }
  };
  const numRows = (nestedRowSplits[0]?.length ?? 1) - 1;
  for (let row = 0; row < numRows; row++) {
    place.push(row);
    visit(0, row);
    place.pop();
  }
  return indices;
}

/** Which of the present rows each row is; -1 for null. */
export function presentRows(isNull: Uint8Array): Int32Array {
  let present = 0;
  return Int32Array.from(isNull, (each) => (each === 0 ? present++ : -1));
}

/** Rows with the null ones filled. */
export function fillOnHost(
  values: TensorArray,
  rows: Int32Array,
  rowSize: number,
  fill: number,
): TensorArray {
  const ArrayType = values.constructor as new (length: number) => TensorArray;
  const result = new ArrayType(rows.length * rowSize).fill(fill);
  rows.forEach((present, row) => {
    if (present >= 0) result.set(values.subarray(present * rowSize, (present + 1) * rowSize), row * rowSize);
  });
  return result;
}
