import { clone } from "@bufbuild/protobuf";
import { ColumnPath } from "./column-path.js";
import {
  type Feature,
  FeatureSchema,
  type SparseFeature,
} from "./generated/tensorflow_metadata/proto/v0/schema_pb.js";

/** Returns whether to keep the feature at `path`. */
export type KeepFeature = (feature: Feature, path: ColumnPath) => boolean;

/** Returns whether to keep a sparse feature. */
export type KeepSparseFeature = (sparse: SparseFeature) => boolean;

/**
 * Copies the features for which `keep` is true, at every level of nesting, in order. The children of a removed struct are removed
 * with it. A kept struct also loses the sparse features that use a removed child, and those for which `keepSparse` is false.
 */
export function pruneFeatures(
  features: readonly Feature[],
  keep: KeepFeature,
  keepSparse: KeepSparseFeature = () => true,
  parent: ColumnPath = ColumnPath.of(),
): Feature[] {
  return features.flatMap((feature) => {
    const path = parent.child(feature.name);
    if (!keep(feature, path)) return [];
    const kept = clone(FeatureSchema, feature);
    if (kept.domainInfo.case === "structDomain") {
      const struct = kept.domainInfo.value;
      const before = struct.feature;
      struct.feature = pruneFeatures(before, keep, keepSparse, path);
      const removed = namesRemoved(before, struct.feature);
      struct.sparseFeature = struct.sparseFeature.filter(
        (sparse) => keepSparse(sparse) && !usesAny(sparse, removed),
      );
    }
    return [kept];
  });
}

/** Returns the names in `before` that are not in `after`. */
export function namesRemoved(before: readonly Feature[], after: readonly Feature[]): ReadonlySet<string> {
  const left = new Set(after.map(({ name }) => name));
  return new Set(before.map(({ name }) => name).filter((name) => !left.has(name)));
}

/** Returns whether an index feature or the value feature of `sparse` is in `names`. */
export function usesAny(sparse: SparseFeature, names: ReadonlySet<string>): boolean {
  return [...sparse.indexFeature, sparse.valueFeature].some((column) => column && names.has(column.name));
}
