import type { TensorRepresentation_DefaultValue } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import { integerRange } from "./dtype.js";
import { toFloat16 } from "./float16.js";
import type { DType } from "./host-column.js";

/** A default value in the element type of the host array: bytes for string, a bigint for int64 and uint64, else a number. */
export type DefaultValue = number | bigint | Uint8Array;

/**
 * Returns a representation's default value as an element of the column's dtype. Integer columns take an int or uint within
 * range, float columns a float (rounded to the column's width), and string columns bytes.
 * @throws {SchemaError} `schema-invalid` (`bad-default`).
 * @see tfx_bsl.tfxio.tensor_adapter, "Incompatible default value", "Integer default value out of range"
 */
export function checkedDefault(
  { kind }: TensorRepresentation_DefaultValue,
  dtype: DType,
  columnPath: string,
): DefaultValue {
  const range = integerRange(dtype);
  if (range !== undefined && (kind.case === "intValue" || kind.case === "uintValue")) {
    if (kind.value < range[0] || kind.value > range[1]) {
      throw badDefault(`Default value ${kind.value} is out of range for ${dtype}`, dtype, columnPath);
    }
    return dtype === "int64" || dtype === "uint64" ? kind.value : Number(kind.value);
  }
  if (kind.case === "floatValue") {
    if (dtype === "float64") return kind.value;
    if (dtype === "float32") return Math.fround(kind.value);
    if (dtype === "float16") return toFloat16(kind.value);
  }
  if (kind.case === "bytesValue" && dtype === "string") return kind.value;
  const found =
    kind.case === undefined ? "A default value without a kind" : `A default value of kind ${kind.case}`;
  throw badDefault(`${found} is incompatible with ${dtype}`, dtype, columnPath);
}

function badDefault(finding: string, dtype: DType, columnPath: string): SchemaError {
  return new SchemaError("schema-invalid", `${finding} (column "${columnPath}").`, {
    reason: "bad-default",
    columnPath,
    expected: dtype,
  });
}
