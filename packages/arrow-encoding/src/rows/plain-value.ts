import type { FeatureDefinitions, FeaturesOf, Schema } from "@tfxio/schema";

/** Bytes that are no UTF-8, in base64 (RFC 4648, with padding). */
export interface Base64Bytes {
  readonly base64: string;
}

/** One value of a column as JSON has it; lists of them, and structs by the name of their field. */
export type PlainValue =
  | null
  | boolean
  | number
  | string
  | Base64Bytes
  | readonly PlainValue[]
  | { readonly [field: string]: PlainValue };

/** A row by column names. */
export type PlainRow = Readonly<Record<string, PlainValue>>;

/** What the values of each kind of feature are. */
interface PlainKinds {
  /** A string beyond 2^53. */
  readonly int: number | string;
  /** A string for NaN and the infinities. */
  readonly float: number | "NaN" | "Infinity" | "-Infinity";
  readonly bytes: string | Base64Bytes;
}

type PlainFeature<Feature> = Feature extends {
  readonly kind: infer Kind;
  readonly children: infer Children extends FeatureDefinitions;
}
  ? Kind extends keyof PlainKinds
    ? readonly PlainKinds[Kind][] | null
    : Kind extends "struct"
      ? PlainFields<Children> | null
      : PlainValue
  : PlainValue;

type PlainFields<Features extends FeatureDefinitions> = {
  readonly [Name in keyof Features & string]: PlainFeature<Features[Name]>;
};

/**
 * The rows of batches that `conformBatch` makes for a schema of `defineSchema`: a list or null for each feature.
 * {@link PlainRow} for a schema whose features the compiler does not know.
 */
export type PlainRowOf<AnySchema extends Schema> = string extends keyof FeaturesOf<AnySchema>
  ? PlainRow
  : PlainFields<FeaturesOf<AnySchema>>;
