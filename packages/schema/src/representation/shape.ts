import { SchemaError } from "@tfxio/wire";
import type { FixedShape } from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";

/**
 * Sizes of a shape's dimensions; a size that is not set counts as 0, as protobuf has it.
 * @throws {SchemaError} `schema-invalid`, reason `representation`, for a size that is no safe integer.
 */
export function dimensionsOf(shape: FixedShape | undefined): readonly number[] {
  return (shape?.dim ?? []).map(({ size }) => toSafeNumber(size, "a dimension"));
}

/** @throws {SchemaError} `schema-invalid`, reason `representation`, for a number that is no safe integer. */
export function toSafeNumber(value: bigint, what: string): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new SchemaError("schema-invalid", `${what} has the size ${value}, more than 2^53 - 1`, {
    reason: "representation",
  });
}
