/** Type of a feature's values; `unknown` if its `type` is not set. */
export type FeatureKind = "int" | "float" | "bytes" | "struct" | "unknown";

/** Dimensions of one example's value, `[]` for a scalar; undefined for a variable length. */
export type FeatureShape = readonly number[] | undefined;

/** Argument type of `FeatureBuilder.default` for each kind. A string is encoded as UTF-8. */
export interface DefaultValues {
  readonly int: bigint | number;
  readonly float: number;
  readonly bytes: string | Uint8Array;
  readonly struct: never;
  readonly unknown: never;
}
