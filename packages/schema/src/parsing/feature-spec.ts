/** Value type of a parsed feature. int64 values are bigint, and strings are bytes. */
export type FeatureSpecDType = "int64" | "float32" | "string";

/** A feature with the same number of values in every example. @see tf.io.FixedLenFeature */
export interface FixedLenFeature {
  readonly kind: "FixedLenFeature";
  readonly dtype: FeatureSpecDType;
  /** Dimensions of one example's value; empty for a scalar. */
  readonly shape: readonly number[];
  /**
   * Values for an example without the feature, in row-major order, one for each element of the shape. If null, an example
   * without the feature is an error.
   */
  readonly defaultValue: readonly bigint[] | readonly number[] | readonly Uint8Array[] | null;
}

/** A feature with any number of values, parsed into a sparse tensor. @see tf.io.VarLenFeature */
export interface VarLenFeature {
  readonly kind: "VarLenFeature";
  readonly dtype: FeatureSpecDType;
}

/** A sparse tensor whose indices and values are separate features. @see tf.io.SparseFeature */
export interface SparseFeatureSpec {
  readonly kind: "SparseFeature";
  readonly dtype: FeatureSpecDType;
  /** Names of the features that hold the indices, one for each dimension. */
  readonly indexKeys: readonly string[];
  /** Name of the feature that holds the values. */
  readonly valueKey: string;
  /** Size of each dimension; -1 if it is unknown. */
  readonly size: readonly number[];
  /** True if the indices of every example are in row-major order, so that the parser need not sort them. */
  readonly alreadySorted: boolean;
}

/** A row partition of {@link RaggedFeature}. Partitions are listed outermost first. */
export type RaggedPartition =
  /** The feature of this name holds the length of each row. */
  | { readonly rowLengths: string }
  /** All rows have this length. */
  | { readonly uniformRowLength: number };

/** A feature with any number of values, parsed into a ragged tensor. @see tf.io.RaggedFeature */
export interface RaggedFeature {
  readonly kind: "RaggedFeature";
  readonly dtype: FeatureSpecDType;
  /** Name of the feature that holds the flat values. */
  readonly valueKey: string;
  /** Partitions of the flat values, in addition to the batch dimension. Empty if each row is a flat list. */
  readonly partitions: readonly RaggedPartition[];
  readonly rowSplitsDtype: "int32" | "int64";
}

/** Parser configuration of one feature. It has the fields of the `tf.io` classes but does not depend on TensorFlow. */
export type FeatureSpec = FixedLenFeature | VarLenFeature | SparseFeatureSpec | RaggedFeature;
