import { create } from "@bufbuild/protobuf";
import { invalidArgument } from "@tfxio/wire/checks";
import {
  type TensorRepresentation_DefaultValue,
  TensorRepresentation_DefaultValueSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import type { FeatureKind } from "./feature-kind.js";
import { toInt64 } from "./limits.js";

/**
 * Creates the default value of a feature of `kind`. Strings are encoded as UTF-8, and byte arrays are copied.
 * @throws {ArgumentError} `invalid-argument`, reason `feature-kind` if `value` does not match `kind`. For an int feature, reason
 *   `int64` for a bigint outside the int64 range or a number that is not a safe integer.
 */
export function defaultMessage(kind: FeatureKind, value: unknown): TensorRepresentation_DefaultValue {
  return create(TensorRepresentation_DefaultValueSchema, { kind: defaultKind(kind, value) });
}

/** Converts `value` to the oneof member that a feature of `kind` accepts. */
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
    return { case: "intValue", value: toInt64(value, "The default value") };
  }
  throw invalidArgument("value", `a default for a feature of kind ${kind}`, value, {
    reason: "feature-kind",
  });
}
