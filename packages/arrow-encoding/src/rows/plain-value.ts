import type { FeatureDefinitions, FeaturesOf, Schema } from "@tfxio/schema";

/** Bytes that are not valid UTF-8, in base64 (RFC 4648, with padding). */
export interface Base64Bytes {
  readonly base64: string;
}

/** A JSON value that represents one value of a column. Lists are arrays. Structs are objects keyed by field name. */
export type PlainValue =
  | null
  | boolean
  | number
  | string
  | Base64Bytes
  | readonly PlainValue[]
  | { readonly [field: string]: PlainValue };

/** A row as an object whose keys are column names. */
export type PlainRow = Readonly<Record<string, PlainValue>>;

/** The JSON type of the values of each kind of feature. */
interface PlainKinds {
  /** A string if the integer is not a safe integer. */
  readonly int: number | string;
  /** A string for NaN and the infinities. */
  readonly float: number | "NaN" | "Infinity" | "-Infinity";
  readonly bytes: string | Base64Bytes;
}

/** The JSON type of one feature: a list of values, or an object for a struct, or null. */
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
 * The row type of batches that `conformBatch` creates for a schema from `defineSchema`. It has a list, an object or null for each
 * feature. If the schema's type does not carry its features, the row type is {@link PlainRow}.
 */
export type PlainRowOf<AnySchema extends Schema> = string extends keyof FeaturesOf<AnySchema>
  ? PlainRow
  : PlainFields<FeaturesOf<AnySchema>>;
