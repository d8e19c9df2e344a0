import { BytesColumn, type NumberArray } from "@tfxio/arrow-encoding";
import { ConversionError } from "@tfxio/wire";
import {
  type DType,
  type HostColumn,
  type HostRagged,
  type HostValues,
  MAX_ELEMENTS,
  numberArrays,
} from "./host-column.js";
import { labelOf } from "../named-errors.js";
import { sizeOf } from "../rows/row-of-value.js";
import { describeValue, invalidArgument } from "@tfxio/wire/checks";

/**
 * Rejects a host column whose parts contradict each other. Checks the array type of the values and their number, which must
 * match the shape, the indices or the row splits. Row splits and string offsets must not decrease.
 * @throws {ArgumentError} `invalid-argument` for a value that is not a host column.
 * @throws {ConversionError} `shape-mismatch` (`malformed-tensor`), `out-of-range` (`batch-too-large`).
 */
export function assertHostColumn(column: HostColumn, tensorName?: string): void {
  assertHostTensor(column, tensorName);
  if (column.kind === "dense" && column.shape.length === 0)
    throw malformed("its shape has no batch dimension", tensorName);
}

/** Like {@link assertHostColumn}, but also accepts a dense column of rank 0, which is a single value. */
export function assertHostTensor(column: HostColumn, tensorName?: string): void {
  assertHostParts(column);
  const problem = problemOf(column);
  if (problem !== undefined) throw malformed(problem, tensorName);
  const { length } = column.values;
  if (length <= MAX_ELEMENTS) return;
  throw new ConversionError(
    "out-of-range",
    `${labelOf(tensorName)} has ${length} values; the maximum is ${MAX_ELEMENTS}.`,
    { reason: "batch-too-large", tensorName },
  );
}

/** Like {@link assertHostColumn}, but also rejects columns that are not ragged. */
export function assertRagged(column: HostRagged): void {
  assertHostColumn(column);
  if (column.kind !== "ragged") throw invalidArgument("column", "a ragged column", column);
}

/** @throws {ArgumentError} `invalid-argument` if the value is not a host column, or lacks a part that its kind requires. */
function assertHostParts(column: unknown): void {
  if (!isHostColumn(column)) throw invalidArgument("column", "a dense, sparse or ragged host column", column);
}

/** True for a value with the parts of a host column. Checks neither its dtype nor the contents of its parts. */
export function isHostColumn(column: unknown): column is HostColumn {
  const { kind, values, shape, indices, denseShape, nestedRowSplits, innerShape } = (column ?? {}) as Partial<
    Record<string, unknown>
  >;
  const isInt32 = (array: unknown): boolean =>
    ArrayBuffer.isView(array) && (array as Int32Array)[Symbol.toStringTag] === "Int32Array";
  const hasParts =
    (kind === "dense" && Array.isArray(shape)) ||
    (kind === "sparse" && isInt32(indices) && Array.isArray(denseShape)) ||
    (kind === "ragged" &&
      Array.isArray(nestedRowSplits) &&
      nestedRowSplits.every(isInt32) &&
      Array.isArray(innerShape));
  return hasParts && typeof values === "object" && values !== null;
}

function malformed(problem: string, tensorName: string | undefined): ConversionError {
  return new ConversionError("shape-mismatch", `${labelOf(tensorName)} is malformed: ${problem}.`, {
    reason: "malformed-tensor",
    tensorName,
  });
}

function problemOf(column: HostColumn): string | undefined {
  const { kind, dtype, values } = column;
  if (!holds(dtype, values)) return `values of dtype ${dtype} cannot be ${describeValue(values)}`;
  const misplaced = values instanceof BytesColumn ? problemOfOffsets(values) : undefined;
  if (misplaced !== undefined) return misplaced;
  const numValues = values.length;
  switch (kind) {
    case "dense": {
      const { shape } = column;
      const size = sizeOf(shape);
      if (shape.every(isSize) && size === numValues) return undefined;
      return `${numValues} values do not fit the shape [${shape.join(", ")}]`;
    }
    case "sparse": {
      const { indices, denseShape } = column;
      const [numRows, ...sizes] = denseShape;
      if (numRows === undefined || !isSize(numRows) || !sizes.every((size) => size === -1 || isSize(size))) {
        const rule = "list the number of rows, then the size of each other dimension, or -1 if it is unknown";
        return `denseShape must ${rule}, found [${denseShape.join(", ")}]`;
      }
      if (indices.length === numValues * denseShape.length) return undefined;
      return `the indices have length ${indices.length}, which does not match ${numValues} values in ${denseShape.length} dimensions`;
    }
    case "ragged":
      return problemOfSplits(column.nestedRowSplits, numValues, sizeOf(column.innerShape));
  }
}

function problemOfOffsets({ data, offsets }: BytesColumn): string | undefined {
  if (offsets.length === 0) return "its strings have no offsets";
  let previous = 0;
  for (let at = 0; at < offsets.length; at++) {
    const offset = offsets[at] as number;
    if (offset < previous)
      return `string offsets must not be negative or decrease: offset ${offset} at position ${at} is less than ${previous}`;
    previous = offset;
  }
  if (previous <= data.length) return undefined;
  return `string offsets end with ${previous}, but there are ${data.length} bytes`;
}

/**
 * Describes what is wrong with row splits. Returns undefined if they are valid.
 * @param numValues number of values that the row splits must cover.
 * @param innerSize number of these values in one element of the innermost lists.
 */
export function problemOfSplits(
  nestedRowSplits: readonly Int32Array[],
  numValues: number,
  innerSize: number,
): string | undefined {
  if (nestedRowSplits.length === 0) return "there are no row splits";
  for (const [level, splits] of nestedRowSplits.entries()) {
    if (splits.length === 0) return `row splits of level ${level} are empty, expected at least a 0`;
    if (splits[0] !== 0) return `row splits of level ${level} begin with ${splits[0]}, expected 0`;
    let decreasing = 1;
    while ((splits[decreasing] as number) >= (splits[decreasing - 1] as number)) decreasing++;
    if (decreasing < splits.length) return `row splits of level ${level} decrease at position ${decreasing}`;
    const last = splits[splits.length - 1] as number;
    const next = nestedRowSplits[level + 1];
    const found = next === undefined ? numValues : Math.max(next.length - 1, 0);
    const expected = next === undefined ? last * innerSize : last;
    const unit = next === undefined ? "values" : "lists of the next level";
    if (found !== expected)
      return `row splits of level ${level} end with ${last}, which requires ${expected} ${unit}, but there are ${found}`;
  }
  return undefined;
}

function holds(dtype: DType, values: HostValues): boolean {
  return dtype === "string"
    ? values instanceof BytesColumn
    : (values as NumberArray)[Symbol.toStringTag] === numberArrays[dtype]?.name;
}

/** True for a valid size of a dimension. */
export function isSize(size: number): boolean {
  return Number.isSafeInteger(size) && size >= 0;
}
