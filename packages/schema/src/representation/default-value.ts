import { SchemaError } from "@tfxio/wire";
import {
  FeatureType,
  type TensorRepresentation_DefaultValue,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";

/** The only kind of default value that each feature type accepts. */
const kinds = new Map([
  [FeatureType.BYTES, "bytesValue"],
  [FeatureType.INT, "intValue"],
  [FeatureType.FLOAT, "floatValue"],
]);

/**
 * Describes the mismatch between `defaultValue` and a feature of `type`; undefined if they match. The kind must match exactly:
 * `int_value` for INT, `float_value` for FLOAT, `bytes_value` for BYTES.
 */
export function defaultValueMismatch(
  defaultValue: TensorRepresentation_DefaultValue,
  type: FeatureType,
): string | undefined {
  const expected = kinds.get(type);
  const actual = defaultValue.kind.case;
  if (actual === expected && actual !== undefined) return undefined;
  const found = actual === undefined ? "a default_value without a kind" : inText(actual);
  const wanted = expected === undefined ? "unset" : inText(expected);
  return `for a feature of type ${FeatureType[type]}, default_value must be ${wanted}, found ${found}`;
}

/** Creates the error for a default value of the wrong kind: `schema-invalid`, reason `bad-default`. */
export function badDefaultError(problem: string, columnPath?: string): SchemaError {
  return new SchemaError("schema-invalid", problem, { reason: "bad-default", columnPath });
}

/** Returns the name of the field in the text format: `int_value` for `intValue`. */
function inText(kind: string): string {
  return kind.replace("Value", "_value");
}
