import { SchemaError } from "@tfxio/wire";
import type { FixedShape } from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";

/**
 * Sizes of a shape's dimensions. An unset size counts as 0, protobuf's default.
 * @throws {SchemaError} `schema-invalid`, reason `representation`, for a size above 2^53 - 1.
 */
export function dimensionsOf(shape: FixedShape | undefined): readonly number[] {
  return (shape?.dim ?? []).map(({ size }) => toSafeNumber(size, "a dimension"));
}

/** @throws {SchemaError} `schema-invalid`, reason `representation`, for a number above 2^53 - 1. */
export function toSafeNumber(value: bigint, what: string): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new SchemaError("schema-invalid", `${what} has the size ${value}, more than 2^53 - 1`, {
    reason: "representation",
  });
}
