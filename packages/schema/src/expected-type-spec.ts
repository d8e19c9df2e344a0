import {
  type FixedShape,
  FeatureType,
  type TensorRepresentation,
  type TensorRepresentation_RaggedTensor,
  TensorRepresentation_RowPartitionDType,
} from "./generated/tensorflow_metadata/proto/v0/schema_pb.js";
import type { FeatureSpecDType } from "./parsing/feature-spec.js";

/** The spec of a tensor, as far as the schema determines it. The fields correspond to those of the tensor adapter's TypeSpecs. */
export interface ExpectedTypeSpec {
  /** Undefined for a representation without a kind. */
  readonly kind: "tensor" | "sparse" | "ragged" | undefined;
  /** Undefined unless the schema declares the feature as INT, FLOAT or BYTES. */
  readonly dtype: FeatureSpecDType | undefined;
  /** Size of each dimension, the batch dimension first. Null for a size that is unknown or varies. */
  readonly shape: readonly (number | null)[];
  /** Number of row partitions, without trailing uniform ones; only for `ragged`. */
  readonly raggedRank?: number;
  /** Type of the row splits; only for `ragged`. */
  readonly rowSplitsDtype?: "int32" | "int64";
}

const dtypes: ReadonlyMap<FeatureType | undefined, FeatureSpecDType> = new Map([
  [FeatureType.INT, "int64"],
  [FeatureType.FLOAT, "float32"],
  [FeatureType.BYTES, "string"],
]);

/** Returns the spec of a tensor whose values have the feature type `type`. Sizes above 2^53 - 1 are rounded. */
export function expectedTypeSpec(
  { kind }: TensorRepresentation,
  type: FeatureType | undefined,
): ExpectedTypeSpec {
  const dtype = dtypes.get(type);
  switch (kind.case) {
    case "denseTensor":
      return { kind: "tensor", dtype, shape: [null, ...sizes(kind.value.shape)] };
    case "varlenSparseTensor":
      return { kind: "sparse", dtype, shape: [null, null] };
    case "sparseTensor": {
      const unknown = kind.value.indexColumnNames.map(() => null);
      return {
        kind: "sparse",
        dtype,
        shape: [null, ...(kind.value.denseShape ? sizes(kind.value.denseShape) : unknown)],
      };
    }
    case "raggedTensor":
      return raggedSpec(kind.value, dtype);
    case undefined:
      return { kind: undefined, dtype, shape: [] };
  }
}

/**
 * Returns the spec of a ragged tensor. Each step of the feature's path adds one level of lists, and so one ragged dimension.
 * Partitions after the last `row_length` partition are uniform, so they are inner dimensions and do not add to the ragged rank.
 */
function raggedSpec(
  { featurePath, partition, rowPartitionDtype }: TensorRepresentation_RaggedTensor,
  dtype: FeatureSpecDType | undefined,
): ExpectedTypeSpec {
  const listLevels = (featurePath?.step ?? []).map(() => null);
  const partitions = partition.map(({ kind }) =>
    kind.case === "uniformRowLength" ? Number(kind.value) : null,
  );
  const numNotTrailing = partitions.findLastIndex((size) => size === null) + 1;
  return {
    kind: "ragged",
    dtype,
    shape: [null, ...listLevels, ...partitions],
    raggedRank: listLevels.length + numNotTrailing,
    rowSplitsDtype: rowPartitionDtype === TensorRepresentation_RowPartitionDType.INT32 ? "int32" : "int64",
  };
}

/** Returns the sizes of a shape, with null for a negative size, which TFMD uses for an unknown dimension. */
function sizes(shape: FixedShape | undefined): readonly (number | null)[] {
  return (shape?.dim ?? []).map(({ size }) => (size < 0n ? null : Number(size)));
}
