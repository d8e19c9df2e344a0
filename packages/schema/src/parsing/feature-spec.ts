/** Value type of a parsed feature. int64 values are bigint, strings are bytes. */
export type FeatureSpecDType = "int64" | "float32" | "string";

/** A feature with the same number of values in every example. @see tf.io.FixedLenFeature */
export interface FixedLenFeature {
  readonly kind: "FixedLenFeature";
  readonly dtype: FeatureSpecDType;
  /** Dimensions of one example's value; empty for a scalar. */
  readonly shape: readonly number[];
  /** Values for an example without the feature, one for each element of `shape`. Null: such an example is an error. */
  readonly defaultValue: readonly bigint[] | readonly number[] | readonly Uint8Array[] | null;
}

/** A feature with any number of values, as a sparse tensor. @see tf.io.VarLenFeature */
export interface VarLenFeature {
  readonly kind: "VarLenFeature";
  readonly dtype: FeatureSpecDType;
}

/** A sparse tensor whose indices and values are separate features. @see tf.io.SparseFeature */
export interface SparseFeatureSpec {
  readonly kind: "SparseFeature";
  readonly dtype: FeatureSpecDType;
  /** Features that hold the indices, one for each dimension. */
  readonly indexKeys: readonly string[];
  readonly valueKey: string;
  /** Size of each dimension; -1 where it is unknown. */
  readonly size: readonly number[];
  readonly alreadySorted: boolean;
}

/** A partition of {@link RaggedFeature}; partitions are listed outermost first. */
export type RaggedPartition =
  /** The feature of this name holds the length of each row. */
  | { readonly rowLengths: string }
  /** All rows have this length. */
  | { readonly uniformRowLength: number };

/** A feature with any number of values, as a ragged tensor. @see tf.io.RaggedFeature */
export interface RaggedFeature {
  readonly kind: "RaggedFeature";
  readonly dtype: FeatureSpecDType;
  readonly valueKey: string;
  readonly partitions: readonly RaggedPartition[];
  readonly rowSplitsDtype: "int32" | "int64";
}

/** Parser configuration of one feature, in the terms of TensorFlow's `tf.io` but independent of it. */
export type FeatureSpec = FixedLenFeature | VarLenFeature | SparseFeatureSpec | RaggedFeature;
