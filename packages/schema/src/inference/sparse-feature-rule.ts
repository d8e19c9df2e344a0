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
import type { ImpossibleFeature, Inference, InferredTensor } from "./inference.js";

/**
 * Infers a sparse tensor for each active sparse feature. Removes its index and value features from `pool`, so that no separate
 * tensors are inferred for them.
 */
export function applySparseFeatureRule(
  sparseFeatures: readonly SparseFeature[],
  pool: Map<string, Feature>,
  inference: Inference,
): void {
  for (const sparse of sparseFeatures) {
    const inactive = inactiveBecause(sparse);
    if (inactive !== undefined) {
      inference.leftOut.push({
        path: ColumnPath.of(sparse.name),
        why: `it is a sparse feature with ${inactive}`,
        advice: "If models should use it, set lifecycle_stage: PRODUCTION and remove deprecated: true",
      });
      continue;
    }
    const outcome = sparseTensor(sparse, pool);
    if ("why" in outcome) {
      inference.impossible.push(outcome);
      continue;
    }
    inference.tensors.push(outcome);
    for (const name of columnNames(sparse)) {
      pool.delete(name);
      inference.leftOut.push({
        path: ColumnPath.of(name),
        why: `its values are in the sparse tensor "${sparse.name}"`,
        advice: `For a separate tensor, add varlen_sparse_tensor { column_name: ${JSON.stringify(name)} } to a representation group`,
      });
    }
  }
}

/** Returns the tensor of `sparse`, or the reason why it cannot be made. */
function sparseTensor(
  sparse: SparseFeature,
  pool: ReadonlyMap<string, Feature>,
): InferredTensor | ImpossibleFeature {
  const path = ColumnPath.of(sparse.name);
  const names = columnNames(sparse);
  const impossible = (why: string, advice: string): ImpossibleFeature => ({
    path,
    tensorName: sparse.name,
    columns: names.map((name) => ColumnPath.of(name)),
    why: `sparse_feature ${sparse.name} ${why}`,
    advice,
    unsupported: false,
  });

  const indices: Feature[] = [];
  for (const [i, name] of names.entries()) {
    const feature = pool.get(name);
    const role = i < names.length - 1 ? "index" : "value";
    if (feature === undefined || names.indexOf(name) < i) {
      return impossible(
        `refers to the ${role} feature "${name}", which is missing from the schema or already used as another index or value`,
        "Declare each index and value feature once, and use it in one sparse feature only",
      );
    }
    if (role === "index") indices.push(feature);
  }

  const sizes: bigint[] = [];
  for (const index of indices) {
    const size = indexSize(index);
    if (typeof size === "string") {
      return impossible(
        `has the index feature ${index.name} ${size}`,
        "Write int_domain { min: 0 max: … } on the index feature, or no int_domain if the size is unknown",
      );
    }
    sizes.push(size);
  }
  const representation = sparseRepresentation(
    create(TensorRepresentation_SparseTensorSchema, {
      denseShape: create(FixedShapeSchema, { dim: sizes.map((size) => ({ size })) }),
      indexColumnNames: indices.map(({ name }) => name),
      valueColumnName: names.at(-1) ?? "",
      // Set only if true, as in tfx_bsl, so that readers that predate the field see no unknown field.
      ...(sparse.isSorted && { alreadySorted: true }),
    }),
  );
  return { tensorName: sparse.name, path, rule: "sparse-feature", representation };
}

/** Returns the names of the index features in order, then the name of the value feature. */
function columnNames(sparse: SparseFeature): readonly string[] {
  return [...sparse.indexFeature.map(({ name }) => name), sparse.valueFeature?.name ?? ""];
}

const INT64_MAX = 2n ** 63n - 1n;

/** Returns the size of the dimension that `index` addresses (`int_domain.max + 1`), -1 if unknown, or the problem in words. */
function indexSize(index: Feature): bigint | string {
  if (index.domainInfo.case !== "intDomain") return -1n;
  const domain = index.domainInfo.value;
  if (!isFieldSet(domain, IntDomainSchema.field.min)) return "without int_domain.min";
  if (domain.min !== 0n) return `with int_domain.min ${domain.min}, expected 0`;
  if (!isFieldSet(domain, IntDomainSchema.field.max)) return "without int_domain.max";
  // Stricter than tfx_bsl. From a maximum of -2, tfx_bsl infers the size -1, which means unknown. From a lower maximum, tfx_bsl
  // infers a lower size, which only the TensorAdapter rejects.
  if (domain.max < -1n) return `with int_domain.max ${domain.max}, expected at least -1`;
  if (domain.max === INT64_MAX) return `with int_domain.max ${domain.max}, expected less than 2^63 - 1`;
  return domain.max + 1n;
}
