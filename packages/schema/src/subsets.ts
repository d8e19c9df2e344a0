import { clone } from "@bufbuild/protobuf";
import { ArgumentError } from "@tfxio/wire";
import { ColumnPath } from "./column-path.js";
import { childrenOf, inactiveBecause, leafFeatures } from "./features.js";
import {
  type Feature,
  type Schema,
  SchemaSchema,
  type SparseFeature,
} from "./generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { type KeepFeature, type KeepSparseFeature, namesRemoved, pruneFeatures, usesAny } from "./prune.js";
import { getSourceColumns } from "./representation/source-columns.js";
import { assertSchema } from "./argument-rules.js";

/**
 * Copies `schema` and keeps only the features that list `environment` in `in_environment`. If it is a default environment,
 * features that do not list it in `not_in_environment` are kept too. The children of a removed struct are removed with it. Sparse
 * features, weighted features and explicit tensors that need a removed feature are removed too.
 * @throws {ArgumentError} `invalid-argument`, reason `unknown-environment`, if neither `default_environment` nor any
 *   feature names `environment`.
 */
export function forEnvironment(schema: Schema, environment: string): Schema {
  assertSchema(schema);
  const known = knownEnvironments(schema);
  if (!known.has(environment)) {
    throw new ArgumentError(
      "invalid-argument",
      `The schema has no environment "${environment}"; it has ${[...known].map((name) => `"${name}"`).join(", ") || "none"}.`,
      { reason: "unknown-environment", argument: "environment" },
    );
  }
  const isDefault = schema.defaultEnvironment.includes(environment);
  return subset(
    schema,
    (feature) =>
      feature.inEnvironment.includes(environment) ||
      (isDefault && !feature.notInEnvironment.includes(environment)),
  );
}

/**
 * Copies `schema` without its inactive features, and without the sparse features, weighted features and explicit tensors that
 * need them. Features, sparse features and weighted features are inactive if they are deprecated or in the lifecycle stage
 * PLANNED, ALPHA, DEPRECATED, DEBUG_ONLY, DISABLED or VALIDATION_DERIVED. Inactive children and sparse features of structs are
 * removed too, whereas inference skips only inactive top-level features.
 */
export function withoutInactiveFeatures(schema: Schema): Schema {
  assertSchema(schema);
  const isActive = (feature: Feature | SparseFeature): boolean => inactiveBecause(feature) === undefined;
  const active = subset(schema, isActive, isActive);
  active.weightedFeature = active.weightedFeature.filter(
    (weighted) => inactiveBecause(weighted) === undefined,
  );
  return active;
}

/**
 * Copies `schema` and keeps only the features for which `keep` is true, and the sparse features for which `keepSparse` is true.
 * Also removes the sparse features, weighted features and explicit tensors that need a removed feature.
 */
function subset(schema: Schema, keep: KeepFeature, keepSparse: KeepSparseFeature = () => true): Schema {
  const result = clone(SchemaSchema, schema);
  result.feature = pruneFeatures(schema.feature, keep, keepSparse);

  const left = new Set(leafFeatures(result.feature).map(({ path }) => path.toString()));
  const removed = new Set(
    leafFeatures(schema.feature)
      .map(({ path }) => path.toString())
      .filter((key) => !left.has(key)),
  );
  const removedNames = namesRemoved(schema.feature, result.feature);
  result.sparseFeature = result.sparseFeature.filter(
    (sparse) => keepSparse(sparse) && !usesAny(sparse, removedNames),
  );
  result.weightedFeature = result.weightedFeature.filter(({ feature, weightFeature }) =>
    [feature, weightFeature].every(
      (path) => path === undefined || !removed.has(ColumnPath.fromProto(path).toString()),
    ),
  );
  for (const group of Object.values(result.tensorRepresentationGroup)) {
    for (const [name, representation] of Object.entries(group.tensorRepresentation)) {
      if (getSourceColumns(representation).some((column) => removed.has(column.toString()))) {
        delete group.tensorRepresentation[name];
      }
    }
  }
  return result;
}

/** Returns the default environments and every environment that a feature names, at any level of nesting. */
function knownEnvironments(schema: Schema): ReadonlySet<string> {
  const named = (features: readonly Feature[]): string[] =>
    features.flatMap((feature) => [
      ...feature.inEnvironment,
      ...feature.notInEnvironment,
      ...named(childrenOf(feature)),
    ]);
  return new Set([...schema.defaultEnvironment, ...named(schema.feature)]);
}
