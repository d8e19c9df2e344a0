import { create } from "@bufbuild/protobuf";
import { ArgumentError } from "@tfxio/wire";
import {
  type TensorRepresentation_DefaultValue,
  TensorRepresentation_DefaultValueSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import type { FeatureKind } from "./feature-kind.js";

/**
 * A default value for a feature of `kind`; strings become their UTF-8.
 * @throws {ArgumentError} `invalid-argument`, reason `int64`, or `feature-kind` for a value of another kind.
 */
export function defaultMessage(kind: FeatureKind, value: unknown): TensorRepresentation_DefaultValue {
  return create(TensorRepresentation_DefaultValueSchema, { kind: defaultKind(kind, value) });
}

function defaultKind(kind: FeatureKind, value: unknown): TensorRepresentation_DefaultValue["kind"] {
  if (kind === "bytes" && typeof value === "string") {
    return { case: "bytesValue", value: new TextEncoder().encode(value) };
  }
  if (kind === "bytes" && ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    return { case: "bytesValue", value: new Uint8Array(buffer, byteOffset, byteLength).slice() };
  }
  if (kind === "float" && typeof value === "number") return { case: "floatValue", value };
  if (kind === "int" && (typeof value === "bigint" || typeof value === "number")) {
    return { case: "intValue", value: toInt64(value) };
  }
  throw new ArgumentError(
    "invalid-argument",
    `a value of the type ${typeof value} is no default for a feature of the kind ${kind}`,
    { reason: "feature-kind", argument: "value" },
  );
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
