import { SchemaError, type TfxioError, UnsupportedError } from "@tfxio/wire";
import type { ColumnPath } from "../column-path.js";
import type { TensorRepresentation } from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";

/**
 * The rule that gave a tensor its representation:
 * - `explicit`: it stands in the schema's tensor representation group;
 * - `sparse-feature`: a sparse feature joins index features and a value feature;
 * - `struct-child`: a child of a STRUCT feature becomes a ragged tensor;
 * - `fixed-shape`: `shape` is set and the feature is in every example;
 * - `variable-length`: anything else is sparse, one row for each example;
 * - `variable-length-as-ragged`: the same with `represent_variable_length_as_ragged`;
 * - `fixed-value-count`: legacy profile, `value_count` has the same minimum and maximum.
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
 * Which set of rules infers representations. `"current"` (default) are those of open-source tfx_bsl. `"legacy"` are
 * those it keeps for schemas with `generate_legacy_feature_spec`, which the public proto does not have: no sparse
 * features, dense tensors by `value_count`, and a default value for features that may be missing.
 */
export type InferenceProfile = "current" | "legacy";

/** A tensor that a rule yields. */
export interface InferredTensor {
  readonly tensorName: string;
  /** The feature it stands for; for a sparse feature that feature's own name. */
  readonly path: ColumnPath;
  readonly rule: Exclude<RepresentationRule, "explicit">;
  readonly representation: TensorRepresentation;
}

/** A feature that yields no tensor of its own, and that is in order. */
export interface LeftOutFeature {
  readonly path: ColumnPath;
  readonly why: string;
  /** What to write into the schema to get a tensor all the same. */
  readonly advice: string;
}

/** A feature that should yield a tensor and cannot. */
export interface ImpossibleFeature extends LeftOutFeature {
  /** Name of the tensor that it would have become. */
  readonly tensorName: string;
  /** The columns that it would have been made of, as far as they are known. */
  readonly columns: readonly ColumnPath[];
  /** True when the schema is in order and only these rules do not reach it. */
  readonly unsupported: boolean;
}

/** What the rules make of a whole schema. */
export interface Inference {
  readonly tensors: InferredTensor[];
  readonly leftOut: LeftOutFeature[];
  readonly impossible: ImpossibleFeature[];
}

/** The error for a feature that cannot be represented. */
export function impossibleError({ path, why, advice, unsupported }: ImpossibleFeature): TfxioError {
  const message = `feature "${path.toString()}" cannot be represented as a tensor: ${why}. ${advice}.`;
  return unsupported
    ? new UnsupportedError(message, { reason: "nested-struct", feature: "nested struct features" })
    : new SchemaError("schema-invalid", message, { reason: "representation", columnPath: path.toString() });
}
