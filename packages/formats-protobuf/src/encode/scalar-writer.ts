import { ScalarType } from "@bufbuild/protobuf";
import { BytesColumn, type ColumnElements, flatValues, isFlatType } from "@tfxio/arrow-encoding";
import { type ProtoWriter, SchemaError } from "@tfxio/wire";
import { DataType, Precision } from "apache-arrow";
import { type EncodeContext, outOfRange } from "./encode-context.js";

/** Writes the value at a position, without its tag. */
export type WriteValue = (writer: ProtoWriter, position: number) => void;

/** Inclusive range of each integer type, and of bools. */
const RANGES: Readonly<Partial<Record<ScalarType, readonly [bigint, bigint]>>> = {
  [ScalarType.INT32]: [-(2n ** 31n), 2n ** 31n - 1n],
  [ScalarType.SINT32]: [-(2n ** 31n), 2n ** 31n - 1n],
  [ScalarType.SFIXED32]: [-(2n ** 31n), 2n ** 31n - 1n],
  [ScalarType.UINT32]: [0n, 2n ** 32n - 1n],
  [ScalarType.FIXED32]: [0n, 2n ** 32n - 1n],
  [ScalarType.INT64]: [-(2n ** 63n), 2n ** 63n - 1n],
  [ScalarType.SINT64]: [-(2n ** 63n), 2n ** 63n - 1n],
  [ScalarType.SFIXED64]: [-(2n ** 63n), 2n ** 63n - 1n],
  [ScalarType.UINT64]: [0n, 2n ** 64n - 1n],
  [ScalarType.FIXED64]: [0n, 2n ** 64n - 1n],
  [ScalarType.BOOL]: [0n, 1n],
};

/**
 * Returns a function that writes the values of a column as a scalar type, and rejects values that this type cannot hold. Borrows
 * the values.
 * @param column path of the column, for error messages.
 * @throws {SchemaError} `schema-mismatch` (`wrong-kind`) if the type of the column does not suit the scalar type.
 * @throws {ConversionError} `out-of-range` (`value-range`), from the returned function.
 */
export function scalarWriter(
  elements: ColumnElements,
  scalar: ScalarType,
  column: string,
  context: EncodeContext,
): WriteValue {
  const { type } = elements.data;
  assertKind(type, scalar, column);
  const { values } = flatValues(elements);
  if (values instanceof BytesColumn) {
    const { data, offsets } = values;
    return (writer, at) => writer.lengthDelimited(data.subarray(offsets[at], offsets[at + 1]));
  }
  if (scalar === ScalarType.DOUBLE) return (writer, at) => writer.double(Number(values[at]));
  if (scalar === ScalarType.FLOAT) {
    return (writer, at) => {
      const value = Number(values[at]);
      // `Object.is` accepts NaN, which `===` would reject.
      if (!Object.is(Math.fround(value), value)) throw outOfRange(column, context, value, "float");
      writer.float(value);
    };
  }
  const [least, most] = RANGES[scalar]!;
  const name = (ScalarType[scalar] ?? "").toLowerCase();
  return (writer, at) => {
    const value = BigInt(values[at]!);
    if (value < least || value > most) throw outOfRange(column, context, value, name);
    writeInteger(writer, value, scalar);
  };
}

/** Writes an integer or bool that is within the range of its type. */
export function writeInteger(writer: ProtoWriter, value: bigint, scalar: ScalarType): void {
  switch (scalar) {
    case ScalarType.SINT32:
    case ScalarType.SINT64:
      writer.int64((value << 1n) ^ (value >> 63n));
      return;
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      writer.fixed32(Number(value));
      return;
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      writer.fixed64(value);
      return;
    default:
      writer.int64(value);
  }
}

/** @throws {SchemaError} `schema-mismatch` (`wrong-kind`) unless the type of a column suits the scalar type. */
function assertKind(type: DataType, scalar: ScalarType, column: string): void {
  const isText = scalar === ScalarType.STRING || scalar === ScalarType.BYTES;
  const isReal = scalar === ScalarType.FLOAT || scalar === ScalarType.DOUBLE;
  const inner = DataType.isDictionary(type) ? (type.dictionary as DataType) : type;
  const isNumber = DataType.isInt(inner) || DataType.isFloat(inner);
  const fits = isReal ? DataType.isFloat(inner) : isText ? !isNumber : DataType.isInt(inner);
  if (isFlatType(type) && fits && !isHalf(inner)) return;
  const expected = isReal ? "Float32 or Float64" : isText ? "bytes or text" : "integers";
  throw new SchemaError(
    "schema-mismatch",
    `Column "${column}" holds ${type}; its field requires ${expected}.`,
    {
      reason: "wrong-kind",
      columnPath: column,
      expected,
      actual: String(type),
    },
  );
}

/** Returns true for float16, whose values are stored as bit patterns. */
function isHalf(type: DataType): boolean {
  return DataType.isFloat(type) && type.precision === Precision.HALF;
}
