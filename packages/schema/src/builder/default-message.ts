import { create } from "@bufbuild/protobuf";
import { ArgumentError } from "@tfxio/wire";
import {
  type TensorRepresentation_DefaultValue,
  TensorRepresentation_DefaultValueSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";

/**
 * A default value for a feature of `kind`; strings become their UTF-8.
 * @throws {ArgumentError} `invalid-argument`, reason `int64`.
 */
export function defaultMessage(
  kind: "int" | "float" | "bytes",
  value: bigint | number | string | Uint8Array,
): TensorRepresentation_DefaultValue {
  const message = create(TensorRepresentation_DefaultValueSchema);
  if (kind === "bytes") {
    const bytesValue = typeof value === "string" ? new TextEncoder().encode(value) : (value as Uint8Array);
    message.kind = { case: "bytesValue", value: bytesValue };
  } else if (kind === "float") {
    message.kind = { case: "floatValue", value: Number(value) };
  } else {
    message.kind = { case: "intValue", value: toInt64(value as bigint | number) };
  }
  return message;
}

/**
 * `value` exactly.
 * @throws {ArgumentError} `invalid-argument`, reason `int64`, when it is no int64, or a number that is not exact.
 */
export function toInt64(value: bigint | number): bigint {
  const exact = typeof value === "bigint" || Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (exact !== undefined && BigInt.asIntN(64, exact) === exact) return exact;
  throw new ArgumentError("invalid-argument", `${value} is not an int64, or a number that is not exact`, {
    reason: "int64",
  });
}
