import { create, isFieldSet } from "@bufbuild/protobuf";
import { ColumnPath } from "../column-path.js";
import { inactiveBecause } from "../features.js";
import {
  type Feature,
  FixedShapeSchema,
  IntDomainSchema,
  type SparseFeature,
  TensorRepresentation_SparseTensorSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { sparseRepresentation } from "./build-representation.js";
import type { Inference } from "./inference.js";

/**
 * Turns each active sparse feature into a sparse tensor, and takes its index and value features out of `pool`, so
 * that they yield no tensors of their own.
 */
export function applySparseFeatureRule(
  sparseFeatures: readonly SparseFeature[],
  pool: Map<string, Feature>,
  inference: Inference,
): void {
  for (const sparse of sparseFeatures) {
    const path = ColumnPath.of(sparse.name);
    const inactive = inactiveBecause(sparse);
    if (inactive !== undefined) {
      inference.leftOut.push({
        path,
        why: `it is a sparse feature with ${inactive}`,
        advice: "Write lifecycle_stage: PRODUCTION if models shall use it",
      });
      continue;
    }
    const taken = takeColumns(sparse, pool);
    const problem = typeof taken === "string" ? taken : undefined;
    const sizes = typeof taken === "string" ? [] : taken.map(indexSize);
    const badSize = sizes.find((size) => typeof size === "string");
    if (problem !== undefined || badSize !== undefined) {
      inference.impossible.push({
        path,
        tensorName: sparse.name,
        columns: columnsOf(sparse),
        why: `sparse_feature ${sparse.name} ${problem ?? badSize ?? ""}`,
        advice:
          problem === undefined
            ? "Write int_domain { min: 0 max: … } on the index feature, or no int_domain if the size is unknown"
            : "Declare each index and value feature once, and use it in one sparse feature only",
        unsupported: false,
      });
      continue;
    }
    for (const column of columnsOf(sparse)) {
      inference.leftOut.push({
        path: column,
        why: `its values are in the sparse tensor "${sparse.name}"`,
        advice: `For a tensor of its own write varlen_sparse_tensor { column_name: ${JSON.stringify(column.initialStep())} } into a representation group`,
      });
    }
    inference.tensors.push({
      tensorName: sparse.name,
      path,
      rule: "sparse-feature",
      representation: sparseRepresentation(
        create(TensorRepresentation_SparseTensorSchema, {
          denseShape: create(FixedShapeSchema, { dim: sizes.map((size) => ({ size: BigInt(size) })) }),
          indexColumnNames: sparse.indexFeature.map(({ name }) => name),
          valueColumnName: sparse.valueFeature?.name ?? "",
          // As tfx_bsl does: set only when true, so that old readers see nothing new.
          ...(sparse.isSorted && { alreadySorted: true }),
        }),
      ),
    });
  }
}

function columnsOf(sparse: SparseFeature): readonly ColumnPath[] {
  return [...sparse.indexFeature.map(({ name }) => name), sparse.valueFeature?.name ?? ""].map((name) =>
    ColumnPath.of(name),
  );
}

/** The index features, after taking them and the value feature out of `pool`; a sentence when one is not there. */
function takeColumns(sparse: SparseFeature, pool: Map<string, Feature>): readonly Feature[] | string {
  const indexFeatures: Feature[] = [];
  for (const { name } of sparse.indexFeature) {
    const feature = pool.get(name);
    if (feature === undefined) return missing("index", name);
    pool.delete(name);
    indexFeatures.push(feature);
  }
  const valueName = sparse.valueFeature?.name ?? "";
  return pool.delete(valueName) ? indexFeatures : missing("value", valueName);
}

function missing(role: string, name: string): string {
  return `refers to the ${role} feature "${name}", which the schema does not have or which another index or value has taken`;
}

/** Number of positions along the dimension that `index` addresses, -1 when unknown; a sentence when it cannot be. */
function indexSize(index: Feature): bigint | string {
  if (index.domainInfo.case !== "intDomain") return -1n;
  const domain = index.domainInfo.value;
  if (!isFieldSet(domain, IntDomainSchema.field.min))
    return `has the index feature ${index.name} without int_domain.min`;
  if (domain.min !== 0n)
    return `has the index feature ${index.name} with int_domain.min ${domain.min}, expected 0`;
  if (!isFieldSet(domain, IntDomainSchema.field.max))
    return `has the index feature ${index.name} without int_domain.max`;
  return domain.max + 1n;
}
