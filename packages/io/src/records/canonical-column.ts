import { BytesColumn, type HostColumn, type HostValues, numberArrays } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { Float16, makeData, makeVector } from "apache-arrow";

/**
 * Converts a column to one of the three dtypes of a TFMD schema. Floats become float32, integers and bool become int64, and
 * strings stay strings. The result shares no memory with `column`.
 * @throws {ConversionError} `out-of-range` (`float32-inexact`, `int64`) for a value that the dtype cannot hold exactly.
 *   `shape-mismatch` (`malformed-tensor`) for a part that is missing or has the wrong type.
 */
export function canonicalColumn(column: HostColumn, tensorName: string): HostColumn {
  assertParts(column, tensorName);
  const own = { ...canonicalValues(column, tensorName), borrowed: false };
  switch (column.kind) {
    case "dense":
      return { ...column, ...own };
    case "sparse":
      return { ...column, ...own, indices: column.indices.slice() };
    case "ragged":
      return { ...column, ...own, nestedRowSplits: column.nestedRowSplits.map((splits) => splits.slice()) };
  }
}

function assertParts(column: HostColumn, tensorName: string): void {
  const { dtype, values } = column;
  const isOfDtype =
    dtype === "string"
      ? values instanceof BytesColumn
      : ArrayBuffer.isView(values) && values[Symbol.toStringTag] === numberArrays[dtype]?.name;
  if (isOfDtype && hasParts(column)) return;
  throw new ConversionError(
    "shape-mismatch",
    `Tensor "${tensorName}" is not a valid ${column.kind} column of ${dtype}: a part is missing or has the wrong type.`,
    { reason: "malformed-tensor", tensorName },
  );
}

/** Returns true if the column has all parts that its `kind` requires. Only callers without type checking can omit a part. */
function hasParts(column: HostColumn): boolean {
  switch (column.kind) {
    case "dense":
      return Array.isArray(column.shape);
    case "sparse":
      return ArrayBuffer.isView(column.indices) && Array.isArray(column.denseShape);
    case "ragged": {
      const { nestedRowSplits, innerShape } = column;
      return (
        Array.isArray(nestedRowSplits) &&
        nestedRowSplits.every((splits) => ArrayBuffer.isView(splits)) &&
        Array.isArray(innerShape)
      );
    }
  }
}

function canonicalValues(
  { dtype, values }: HostColumn,
  tensorName: string,
): Pick<HostColumn, "dtype" | "values"> {
  const reject = (value: number | bigint, target: "float32" | "int64"): never => {
    const reason = target === "int64" ? "int64" : "float32-inexact";
    const message = `Tensor "${tensorName}" has the value ${value}, which ${target} cannot hold exactly.`;
    throw new ConversionError("out-of-range", message, { reason, tensorName });
  };
  switch (dtype) {
    case "string":
      return { dtype, values: BytesColumn.from((values as BytesColumn).toArray()) };
    case "float32":
      return { dtype, values: (values as Float32Array).slice() };
    case "float64":
      return {
        dtype: "float32",
        values: toFloat32(values as Float64Array, (value) => reject(value, "float32")),
      };
    case "float16": {
      const data = makeData({ type: new Float16(), length: values.length, data: values as Uint16Array });
      return { dtype: "float32", values: Float32Array.from(makeVector(data) as Iterable<number>) };
    }
    case "int64":
      return { dtype, values: (values as BigInt64Array).slice() };
    case "uint64":
      return { dtype: "int64", values: toInt64(values as BigUint64Array, (value) => reject(value, "int64")) };
    default:
      return { dtype: "int64", values: widened(values as Int32Array) };
  }
}

function toFloat32(values: Float64Array, reject: (value: number) => never): Float32Array {
  const narrow = Float32Array.from(values);
  const inexact = narrow.findIndex((value, index) => !Object.is(value, values[index]));
  return inexact < 0 ? narrow : reject(values[inexact] as number);
}

function toInt64(values: BigUint64Array, reject: (value: bigint) => never): HostValues {
  const outside = values.find((value) => value >= 2n ** 63n);
  return outside === undefined ? BigInt64Array.from(values) : reject(outside);
}

/**
 * Widens integers of up to 32 bits to int64. Writes 32-bit halves, because bigint arithmetic is several times slower. Assumes a
 * little-endian machine.
 */
function widened(values: Int32Array | Uint32Array): BigInt64Array {
  const wide = new BigInt64Array(values.length);
  const halves = new Int32Array(wide.buffer);
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    halves[index * 2] = value;
    halves[index * 2 + 1] = value < 0 ? -1 : 0;
  }
  return wide;
}
