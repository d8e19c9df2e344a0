import { SchemaError } from "@tfxio/wire";
import type { FixedShape } from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";

/**
 * Returns the sizes of a shape's dimensions. An unset size is 0, protobuf's default. An undefined shape has no dimensions.
 * @param owner Name of the column or feature that has the shape, for the error message.
 * @throws {SchemaError} `schema-invalid`, reason `representation`, for a size outside the range of safe integers.
 */
export function dimensionsOf(shape: FixedShape | undefined, owner: string): readonly number[] {
  return (shape?.dim ?? []).map(({ size }) => toSafeNumber(size, `A dimension of "${owner}"`));
}

/**
 * Converts an int64 to a number.
 * @param what Noun phrase that begins the error message, such as `A dimension of "age"`.
 * @throws {SchemaError} `schema-invalid`, reason `representation`, for a value outside the range of safe integers.
 */
export function toSafeNumber(value: bigint, what: string): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new SchemaError(
    "schema-invalid",
    `${what} must have a size from -(2^53 - 1) to 2^53 - 1, found ${value}.`,
    { reason: "representation" },
  );
}
