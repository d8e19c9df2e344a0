import { SchemaError, type TfxioError, UnsupportedError } from "@tfxio/wire";
import type { ColumnPath } from "../column-path.js";
import type { TensorRepresentation } from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";

/**
 * The rule that chose a tensor's representation:
 * - `explicit`: a tensor representation group of the schema contains the tensor;
 * - `sparse-feature`: a sparse feature joins index features and a value feature;
 * - `struct-child`: a child of a STRUCT feature becomes a ragged tensor;
 * - `fixed-shape`: `shape` is set and `presence.min_fraction` is 1, so the feature is in every example;
 * - `variable-length`: any other feature becomes a sparse tensor, with one row for each example;
 * - `variable-length-as-ragged`: like `variable-length`, but `represent_variable_length_as_ragged` makes the tensor ragged;
 * - `fixed-value-count`: the profile is `legacy`, and the minimum and maximum of `value_count` are equal and above 0.
 */
export type RepresentationRule =
  | "explicit"
  | "sparse-feature"
  | "struct-child"
  | "fixed-shape"
  | "variable-length"
  | "variable-length-as-ragged"
  | "fixed-value-count";

/**
 * The set of rules to infer by. `"current"`, the default, follows open-source tfx_bsl. `"legacy"` follows tfx_bsl's rules for
 * schemas with `generate_legacy_feature_spec`, a field that the public proto lacks. The legacy rules ignore sparse features and
 * `shape`. They make dense tensors from `value_count`, with a default value if the feature may be missing.
 */
export type InferenceProfile = "current" | "legacy";

/** A tensor that a rule yields. */
export interface InferredTensor {
  readonly tensorName: string;
  /** The path of the feature that the tensor represents. For a sparse feature, the only step is its name. */
  readonly path: ColumnPath;
  readonly rule: Exclude<RepresentationRule, "explicit">;
  readonly representation: TensorRepresentation;
}

/** A valid feature that intentionally yields no separate tensor. */
export interface LeftOutFeature {
  readonly path: ColumnPath;
  /** The reason, as a clause about the feature: `it has deprecated: true`. */
  readonly why: string;
  /** The change to the schema that would give the feature a tensor. */
  readonly advice: string;
}

/** A feature that should yield a tensor but cannot. */
export interface ImpossibleFeature extends LeftOutFeature {
  /** Name of the tensor that is missing. */
  readonly tensorName: string;
  /** The columns of the missing tensor, as far as they are known. */
  readonly columns: readonly ColumnPath[];
  /** True if the schema is valid but the rules do not support the feature. The error is then `unsupported`. */
  readonly unsupported: boolean;
}

/** Outcome of the rules for a whole schema. */
export interface Inference {
  readonly tensors: InferredTensor[];
  readonly leftOut: LeftOutFeature[];
  readonly impossible: ImpossibleFeature[];
}

/** Creates the error for a feature that cannot be represented: `unsupported` or `schema-invalid`. */
export function impossibleError({ path, why, advice, unsupported }: ImpossibleFeature): TfxioError {
  const message = `Feature "${path.toString()}" cannot be represented as a tensor: ${why}. ${advice}.`;
  return unsupported
    ? new UnsupportedError(message, { reason: "nested-struct", feature: "nested struct features" })
    : new SchemaError("schema-invalid", message, { reason: "representation", columnPath: path.toString() });
}
