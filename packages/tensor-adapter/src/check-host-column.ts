import { BytesColumn } from "@tfxio/arrow-encoding";
import { ConversionError } from "@tfxio/wire";
import { type DType, type HostColumn, type HostValues, MAX_ELEMENTS, numberArrays } from "./host-column.js";
import { sizeOf } from "./row-of-value.js";

/**
 * Refuses a host column whose parts contradict each other, which those that others make may: values of another array
 * type than the dtype's, more or fewer of them than shape, indices or row splits say, row splits that decrease.
 * @throws {ConversionError} `shape-mismatch` (`malformed-tensor`), `out-of-range` (`batch-too-large`).
 */
export function assertHostColumn(column: HostColumn, tensorName: string): void {
  const problem = problemOf(column);
  if (problem !== undefined) {
    throw new ConversionError("shape-mismatch", `Tensor "${tensorName}": ${problem}.`, {
      reason: "malformed-tensor",
      tensorName,
    });
  }
  if (column.values.length <= MAX_ELEMENTS) return;
  throw new ConversionError("out-of-range", `Tensor "${tensorName}" has ${column.values.length} values.`, {
    reason: "batch-too-large",
    tensorName,
  });
}

function problemOf(column: HostColumn): string | undefined {
  const { kind, dtype, values } = column;
  if (!holds(dtype, values)) return `values of dtype ${dtype} cannot be a ${nameOf(values)}`;
  const numValues = values.length;
  switch (kind) {
    case "dense": {
      const { shape } = column;
      const size = sizeOf(shape);
      if (shape.length > 0 && shape.every(isSize) && size === numValues) return undefined;
      return `${numValues} values do not make the shape [${shape.join(", ")}]`;
    }
    case "sparse": {
      const { indices, denseShape } = column;
      const [numRows, ...sizes] = denseShape;
      if (numRows === undefined || !isSize(numRows) || !sizes.every((size) => size === -1 || isSize(size))) {
        return `[${denseShape.join(", ")}] is no dense shape`;
      }
      if (indices.length === numValues * denseShape.length) return undefined;
      return `${indices.length} indices do not place ${numValues} values in ${denseShape.length} dimensions`;
    }
    case "ragged":
      return problemOfSplits(column.nestedRowSplits, numValues, sizeOf(column.innerShape));
  }
}

function problemOfSplits(
  nestedRowSplits: readonly Int32Array[],
  numValues: number,
  innerSize: number,
): string | undefined {
  if (nestedRowSplits.length === 0) return "there are no row splits";
  for (const [level, splits] of nestedRowSplits.entries()) {
    if (splits[0] !== 0)
      return `row splits of level ${level} begin with ${splits[0] ?? "nothing"}, expected 0`;
    const decreasing = splits.findIndex((split, index) => index > 0 && split < (splits[index - 1] as number));
    if (decreasing > 0) return `row splits of level ${level} decrease at position ${decreasing}`;
    const last = splits[splits.length - 1] as number;
    const next = nestedRowSplits[level + 1];
    const found = next === undefined ? numValues : next.length - 1;
    const expected = next === undefined ? last * innerSize : last;
    if (found !== expected)
      return `row splits of level ${level} end with ${last}, there are ${found} elements`;
  }
  return undefined;
}

function holds(dtype: DType, values: HostValues): boolean {
  return dtype === "string" ? values instanceof BytesColumn : nameOf(values) === numberArrays[dtype].name;
}

function nameOf(values: HostValues): string {
  return values instanceof BytesColumn ? "BytesColumn" : values[Symbol.toStringTag];
}

function isSize(size: number): boolean {
  return Number.isSafeInteger(size) && size >= 0;
}
