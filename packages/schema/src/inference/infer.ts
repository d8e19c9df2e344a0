import { assertOptions } from "@tfxio/wire/checks";
import type { ColumnPath } from "../column-path.js";
import type { Feature, Schema } from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import {
  DEFAULT_REPRESENTATION_GROUP,
  getTensorRepresentationsFromSchema,
  type TensorRepresentations,
} from "../representation/representations.js";
import { getSourceColumns } from "../representation/source-columns.js";
import { applyFeatureRule } from "./feature-rules.js";
import {
  type ImpossibleFeature,
  type Inference,
  type InferenceProfile,
  type InferredTensor,
  impossibleError,
} from "./inference.js";
import { applySparseFeatureRule } from "./sparse-feature-rule.js";
import { assertSchema, INFERENCE_RULES } from "../argument-rules.js";

/** Options of {@link inferTensorRepresentationsFromSchema}. */
export interface InferenceOptions {
  /** Rules to infer by. Default `"current"`. */
  readonly profile?: InferenceProfile | undefined;
}

/** Options of {@link inferTensorRepresentationsFromMixedSchema}. */
export interface MixedInferenceOptions extends InferenceOptions {
  /** Name of the group that holds the explicit representations. Default `""`. */
  readonly group?: string | undefined;
  /** Called once for each {@link NameCollision}. */
  readonly onWarning?: ((warning: NameCollision) => void) | undefined;
}

/**
 * A feature for which no tensor is inferred, because its tensor name is taken by an explicit tensor that does not read all of the
 * feature's columns.
 */
export interface NameCollision {
  readonly tensorName: string;
  /** The feature without a tensor. */
  readonly path: ColumnPath;
  /** A sentence that names the feature and the tensor. */
  readonly message: string;
}

/**
 * Infers tensor representations from the features of `schema` and ignores its representation groups. With the profile
 * `"current"`:
 * - A sparse feature becomes a sparse tensor.
 * - A child of a struct becomes a ragged tensor.
 * - A feature with `shape` becomes a dense tensor.
 * - Any other feature becomes a sparse or ragged tensor of variable length.
 *
 * Top-level features and sparse features are skipped if they are deprecated, or in a stage other than UNKNOWN_STAGE, BETA and
 * PRODUCTION. Children of an active struct are never skipped. If a feature is declared twice, the last declaration is used.
 * {@link explain} names the rule for each tensor.
 * @throws {SchemaError} `schema-invalid`, reason `representation`, for a feature that cannot be represented, such as one with a
 *   `shape` but without `presence.min_fraction: 1`.
 * @throws {UnsupportedError} `unsupported`, reason `nested-struct`, for a struct or sparse feature inside a struct.
 * @see tfx_bsl `InferTensorRepresentationsFromSchema`
 */
export function inferTensorRepresentationsFromSchema(
  schema: Schema,
  options: InferenceOptions = {},
): TensorRepresentations {
  assertSchema(schema);
  const { profile } = INFERENCE_RULES;
  assertOptions("inferTensorRepresentationsFromSchema", options, { profile });
  const { tensors, impossible } = applyRules(schema, options.profile ?? "current");
  if (impossible[0] !== undefined) throw impossibleError(impossible[0]);
  return new Map(tensors.map(({ tensorName, representation }) => [tensorName, representation]));
}

/**
 * Returns the explicit representations of a group, and infers representations for the features that no explicit representation
 * uses. An explicit tensor overrides an inferred tensor of the same name. A feature for which no tensor can be inferred is not an
 * error if an explicit representation uses it.
 * @throws {SchemaError} As {@link inferTensorRepresentationsFromSchema}.
 * @throws {UnsupportedError} As {@link inferTensorRepresentationsFromSchema}.
 * @see tfx_bsl `InferTensorRepresentationsFromMixedSchema`
 */
export function inferTensorRepresentationsFromMixedSchema(
  schema: Schema,
  options: MixedInferenceOptions = {},
): TensorRepresentations {
  assertSchema(schema);
  assertOptions("inferTensorRepresentationsFromMixedSchema", options, INFERENCE_RULES);
  const { explicit, tensors, impossible, collisions } = mixedInference(schema, options);
  if (impossible[0] !== undefined) throw impossibleError(impossible[0]);
  for (const collision of collisions) options.onWarning?.(collision);
  return new Map([
    ...explicit,
    ...tensors.map(({ tensorName, representation }) => [tensorName, representation] as const),
  ]);
}

/** An {@link Inference} for the features that no explicit representation uses. */
export interface MixedInference extends Inference {
  readonly explicit: TensorRepresentations;
  readonly collisions: readonly NameCollision[];
}

/** Returns the explicit and inferred representations of a schema and, for each feature without a tensor, the reason. */
export function mixedInference(schema: Schema, options: MixedInferenceOptions): MixedInference {
  const inference = applyRules(schema, options.profile ?? "current");
  const explicit: TensorRepresentations =
    getTensorRepresentationsFromSchema(schema, options.group ?? DEFAULT_REPRESENTATION_GROUP) ?? new Map();
  const used = columnKeys([...explicit.values()].flatMap(getSourceColumns));
  const collisions: NameCollision[] = [];

  // True if an explicit tensor reads the feature at `path` or is named `tensorName`.
  const isCovered = (tensorName: string, path: ColumnPath, columns: readonly ColumnPath[]): boolean => {
    if (used.has(path.toString())) return true;
    const winner = explicit.get(tensorName);
    if (winner === undefined) return false;
    const winnersColumns = columnKeys(getSourceColumns(winner));
    if (!columns.every((column) => winnersColumns.has(column.toString()))) {
      collisions.push({
        tensorName,
        path,
        message: `No tensor is inferred for "${path.toString()}": the explicit tensor "${tensorName}" reads other columns.`,
      });
    }
    return true;
  };

  return {
    explicit,
    tensors: inference.tensors.filter(
      ({ tensorName, path, representation }) =>
        !isCovered(tensorName, path, getSourceColumns(representation)),
    ),
    impossible: inference.impossible.filter(
      ({ tensorName, path, columns }) =>
        !isCovered(tensorName, path, columns) &&
        (columns.length === 0 || !columns.every((column) => used.has(column.toString()))),
    ),
    leftOut: inference.leftOut.filter(({ path }) => !used.has(path.toString())),
    collisions,
  };
}

/** Applies the rules of a profile to all features. Sparse features come first, because they use up other features. */
function applyRules(schema: Schema, profile: InferenceProfile): Inference {
  const inference: Inference = { tensors: [], leftOut: [], impossible: [] };
  const pool = new Map<string, Feature>(schema.feature.map((feature) => [feature.name, feature]));
  if (profile === "current") applySparseFeatureRule(schema.sparseFeature, pool, inference);
  for (const feature of pool.values()) {
    applyFeatureRule(feature, inference, {
      profile,
      variableLengthAsRagged: schema.representVariableLengthAsRagged,
    });
  }
  return { ...inference, ...withoutNamesakes(inference) };
}

/** Moves to `impossible` each tensor that has the name of an earlier tensor. */
function withoutNamesakes({ tensors, impossible }: Inference): Pick<Inference, "tensors" | "impossible"> {
  const taken = new Map<string, InferredTensor>();
  const namesakes: ImpossibleFeature[] = [];
  for (const tensor of tensors) {
    const first = taken.get(tensor.tensorName);
    if (first === undefined) {
      taken.set(tensor.tensorName, tensor);
      continue;
    }
    namesakes.push({
      tensorName: tensor.tensorName,
      path: tensor.path,
      columns: getSourceColumns(tensor.representation),
      why: `its tensor would have the same name as the tensor that the rule ${first.rule} infers from "${first.path.toString()}"`,
      advice: "Rename one of them",
      unsupported: false,
    });
  }
  return { tensors: [...taken.values()], impossible: [...impossible, ...namesakes] };
}

function columnKeys(columns: readonly ColumnPath[]): ReadonlySet<string> {
  return new Set(columns.map(String));
}
