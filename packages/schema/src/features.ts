import { ColumnPath } from "./column-path.js";
import {
  type Feature,
  FeatureType,
  LifecycleStage,
  type Schema,
  type SparseFeature,
  type WeightedFeature,
} from "./generated/tensorflow_metadata/proto/v0/schema_pb.js";

/** A feature and its path in the schema. */
export interface LocatedFeature {
  readonly path: ColumnPath;
  readonly feature: Feature;
}

/** Returns the children of a STRUCT feature; empty for any other feature. The result is borrowed from `feature`. */
export function childrenOf(feature: Feature): readonly Feature[] {
  return feature.domainInfo.case === "structDomain" ? feature.domainInfo.value.feature : [];
}

/** Returns the sparse features inside a STRUCT feature; empty for any other feature. The result is borrowed from `feature`. */
export function sparseChildrenOf(feature: Feature): readonly SparseFeature[] {
  return feature.domainInfo.case === "structDomain" ? feature.domainInfo.value.sparseFeature : [];
}

/** Returns every feature at or below `features` that is not a STRUCT, depth first in schema order. */
export function leafFeatures(
  features: readonly Feature[],
  parent: ColumnPath = ColumnPath.of(),
): LocatedFeature[] {
  return features.flatMap((feature) => {
    const path = parent.child(feature.name);
    return feature.type === FeatureType.STRUCT
      ? leafFeatures(childrenOf(feature), path)
      : [{ path, feature }];
  });
}

/** Finds a feature of one schema by its path. Undefined if the schema lacks it. */
export type FeatureLookup = (path: ColumnPath) => Feature | undefined;

/**
 * Creates a lookup of features by path. If a name is declared twice, the lookup finds the first declaration, as the decoders do.
 * The lookup indexes each list of features once and may miss features added later, so create one for each operation.
 */
export function featureLookup(schema: Schema): FeatureLookup {
  const known = new Map<readonly Feature[], ReadonlyMap<string, Feature>>();
  const byName = (features: readonly Feature[]): ReadonlyMap<string, Feature> => {
    let named = known.get(features);
    if (named === undefined) {
      named = new Map(features.toReversed().map((feature) => [feature.name, feature]));
      known.set(features, named);
    }
    return named;
  };
  return ({ steps }) => {
    let level: readonly Feature[] = schema.feature;
    let found: Feature | undefined;
    for (const step of steps) {
      found = byName(level).get(step);
      if (found === undefined) return undefined;
      level = childrenOf(found);
    }
    return found;
  };
}

/** Lifecycle stages of features that models must not use. */
const inactiveStages: ReadonlySet<LifecycleStage> = new Set([
  LifecycleStage.DEPRECATED,
  LifecycleStage.DISABLED,
  LifecycleStage.PLANNED,
  LifecycleStage.ALPHA,
  LifecycleStage.DEBUG_ONLY,
  LifecycleStage.VALIDATION_DERIVED,
]);

/**
 * Returns the field that excludes a feature from models, such as `deprecated: true` or `lifecycle_stage: ALPHA`. Returns
 * undefined for an active feature, whose stage is UNKNOWN_STAGE, BETA or PRODUCTION.
 * @see tfx_bsl `_ShouldIncludeFeature`
 */
export function inactiveBecause(feature: Feature | SparseFeature | WeightedFeature): string | undefined {
  if ("deprecated" in feature && feature.deprecated) return "deprecated: true";
  if (inactiveStages.has(feature.lifecycleStage))
    return `lifecycle_stage: ${LifecycleStage[feature.lifecycleStage]}`;
  return undefined;
}
