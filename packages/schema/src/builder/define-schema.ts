import { clone, create, type MessageInitShape } from "@bufbuild/protobuf";
import { ArgumentError, SchemaError } from "@tfxio/wire";
import {
  aBoolean,
  aListOfNames,
  anObject,
  assertMembers,
  assertOptions,
  oneOf,
  type OptionRules,
  required,
  unusableArgument,
} from "@tfxio/wire/checks";
import { childrenOf } from "../features.js";
import {
  type Feature,
  type Schema,
  SchemaSchema,
  type TensorRepresentation,
  TensorRepresentationSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import {
  getTensorRepresentationsFromSchema,
  setTensorRepresentationsInSchema,
} from "../representation/representations.js";
import { dimensionsOf } from "../representation/shape.js";
import { type AnyFeatureBuilder, FeatureBuilder, type FeatureDefinitions } from "./feature-builder.js";
import type { FeatureKind, FeatureShape } from "./feature-kind.js";
import { assertFeatures, builderFromFeature, namedFeature } from "./create-feature.js";
import { ownRepresentation, representationNamed, setOwnRepresentation } from "./own-representation.js";
import { assertSchema } from "../argument-rules.js";

// Exists only in types.
declare const definitions: unique symbol;

/** A TFMD schema whose type carries its features. At run time it is a plain `Schema` message. */
export type TypedSchema<Features extends FeatureDefinitions> = Schema & { readonly [definitions]: Features };

/** The builders of a schema's features, by name. For an untyped schema, any name is possible. */
export type FeaturesOf<AnySchema extends Schema> =
  AnySchema extends TypedSchema<infer Features> ? Features : FeatureDefinitions;

/** Names of a schema's features. For an untyped schema, this is `string`. */
export type FeatureNames<AnySchema extends Schema> = keyof FeaturesOf<AnySchema> & string;

/** Kind of one feature. For an untyped schema, this is the union of all kinds. */
export type FeatureKindOf<AnySchema extends Schema, Name extends FeatureNames<AnySchema>> =
  FeaturesOf<AnySchema>[Name] extends FeatureBuilder<infer Kind, FeatureShape, FeatureDefinitions>
    ? Kind
    : FeatureKind;

/** Shape of one feature: a tuple of literals if `shape()` received literals, undefined for a variable length. */
export type FeatureShapeOf<AnySchema extends Schema, Name extends FeatureNames<AnySchema>> =
  FeaturesOf<AnySchema>[Name] extends FeatureBuilder<FeatureKind, infer Shape, FeatureDefinitions>
    ? Shape
    : FeatureShape;

/** A sparse feature, whose indices and values are separate features. */
export interface SparseDefinition<Features extends FeatureDefinitions> {
  /**
   * Names of the int features that hold the indices, one for each dimension. To declare the size of a dimension, call
   * `range({ min: 0, max: size - 1 })` on its feature.
   */
  readonly indices: readonly NamesOfKind<Features, "int">[];
  /** Name of the feature that holds the values. */
  readonly values: NamesOfKind<Features, "int" | "float" | "bytes">;
  /** True if the indices of every example are in row-major order. Unset by default. Readers then assume false. */
  readonly sorted?: boolean | undefined;
}

type NamesOfKind<Features extends FeatureDefinitions, Kind extends FeatureKind> = {
  [Name in keyof Features]: Features[Name]["kind"] extends Kind ? Name : never;
}[keyof Features] &
  string;

/** Argument of {@link defineSchema}. */
export interface SchemaDefinition<Features extends FeatureDefinitions> {
  /** The features in column order. JavaScript lists keys that are whole numbers first. */
  readonly features: Features;
  /** Sparse features by name. Default: none. */
  readonly sparseFeatures?: Readonly<Record<string, SparseDefinition<Features>>> | undefined;
  /**
   * The schema's default environments (`default_environment`). A feature belongs to every default environment that its
   * `notInEnvironments` does not list. Default: none.
   */
  readonly environments?: readonly string[] | undefined;
  /**
   * Kind of tensor inferred for a feature without a fixed shape. Children of structs always become ragged tensors. Default
   * `"sparse"`.
   */
  readonly variableLength?: "sparse" | "ragged" | undefined;
  /** Explicit tensor representations of the default group (`""`), by tensor name. Default: none. */
  readonly representations?:
    | Readonly<Record<string, MessageInitShape<typeof TensorRepresentationSchema>>>
    | undefined;
}

/**
 * Creates a TFMD schema from a TypeScript definition. The result is the protobuf message itself, so any function that takes a
 * `Schema` accepts it. Its type carries the names, kinds and shapes of the features.
 * @throws {ArgumentError} `invalid-argument` if a feature is not a builder, or a sparse feature names a feature that is not in
 *   `features`. Reason `unknown-option` for an unknown key. Reason `two-representations` if `representations` contains the name
 *   of a feature whose builder already has a representation. Every builder with a default value has one. Reason
 *   `unknown-environment` if `notInEnvironments` names an environment that is neither in `environments` nor in any feature's
 *   `inEnvironments`.
 */
export function defineSchema<const Features extends FeatureDefinitions>(
  definition: SchemaDefinition<Features>,
): TypedSchema<Features> {
  assertOptions<SchemaDefinition<Features>>("defineSchema", definition, DEFINITION_RULES);
  const {
    features,
    sparseFeatures = {},
    environments = [],
    variableLength,
    representations = {},
  } = definition;
  assertFeatures(features, "features");
  assertSparseFeatures(sparseFeatures, features);
  const schema = create(SchemaSchema, {
    defaultEnvironment: [...environments],
    ...(variableLength !== undefined && { representVariableLengthAsRagged: variableLength === "ragged" }),
    sparseFeature: Object.entries<SparseDefinition<Features>>(sparseFeatures).map(([name, sparse]) => ({
      name,
      indexFeature: sparse.indices.map((index) => ({ name: index })),
      valueFeature: { name: sparse.values },
      ...(sparse.sorted !== undefined && { isSorted: sparse.sorted }),
    })),
  });
  const explicit = Object.entries(representations).map(
    ([name, representation]) => [name, create(TensorRepresentationSchema, representation)] as const,
  );
  const result = withFeatures(schema, features) as TypedSchema<Features>;
  assertEnvironments(result);
  if (explicit.length > 0) {
    const ofFeatures = getTensorRepresentationsFromSchema(result) ?? new Map<string, TensorRepresentation>();
    for (const [name] of explicit)
      if (ofFeatures.has(name)) throw twoRepresentations(name, "representations");
    setTensorRepresentationsInSchema(result, new Map([...explicit, ...ofFeatures]));
  }
  return result;
}

/**
 * Returns a copy of `schema` that contains `features`. Each builder in `features` replaces the feature of the same name, or
 * appends a feature if the schema has none of this name. An explicit representation in the default group is a feature's own if it
 * has the feature's name and reads only this feature. The builder's representation replaces the feature's own representation. If
 * the builder has no representation, the feature's own representation is removed. Everything else in `schema` is kept, including
 * fields that builders cannot express and tensors with other names.
 * @throws {ArgumentError} `invalid-argument` if `schema` is not a schema, or a feature is not a builder. Reason
 *   `two-representations` if a builder has a representation, but an explicit tensor with the feature's name reads other columns.
 *   Every builder with a default value has a representation.
 */
export function withFeatures<const AnySchema extends Schema, const Features extends FeatureDefinitions>(
  schema: AnySchema,
  features: Features,
): TypedSchema<Omit<FeaturesOf<AnySchema>, keyof Features> & Features> {
  assertSchema(schema);
  assertFeatures(features, "features");
  const result = clone(SchemaSchema, schema);
  const positions = firstPositions(result.feature);
  for (const [name, builder] of Object.entries<AnyFeatureBuilder>(features)) {
    const feature = namedFeature(name, builder);
    const position = positions.get(name);
    if (position === undefined) result.feature.push(feature);
    else result.feature[position] = feature;
    const isTaken = representationNamed(result, name) !== undefined;
    if (builder.representation !== undefined && isTaken && ownRepresentation(result, name) === undefined) {
      throw twoRepresentations(name, "features");
    }
    setOwnRepresentation(result, name, builder.representation);
  }
  // The `definitions` property exists only in types.
  return result as TypedSchema<Omit<FeaturesOf<AnySchema>, keyof Features> & Features>;
}

/** Returns the index of each feature by name. For a repeated name, the index of its first declaration. */
function firstPositions(features: readonly Feature[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const [index, { name }] of features.entries()) if (!positions.has(name)) positions.set(name, index);
  return positions;
}

// `features` is checked by `assertFeatures`.
const DEFINITION_RULES: OptionRules<SchemaDefinition<FeatureDefinitions>> = {
  features: null,
  sparseFeatures: anObject,
  environments: aListOfNames,
  variableLength: oneOf("sparse", "ragged"),
  representations: anObject,
};

const SPARSE_RULES: OptionRules<SparseDefinition<FeatureDefinitions>> = {
  indices: required(aListOfNames),
  // assertSparseFeatures checks that `features` contains the names in `values` and `indices`.
  values: null,
  sorted: aBoolean,
};

function assertSparseFeatures<Features extends FeatureDefinitions>(
  sparseFeatures: Readonly<Record<string, SparseDefinition<Features>>>,
  features: Features,
): void {
  for (const [name, sparse] of Object.entries(sparseFeatures)) {
    const argument = `sparseFeatures.${name}`;
    assertMembers<SparseDefinition<Features>>(argument, sparse, SPARSE_RULES);
    const unknown = [...sparse.indices, sparse.values].find((feature) => !Object.hasOwn(features, feature));
    if (unknown === undefined) continue;
    throw unusableArgument(argument, `names "${unknown}", which is not in features`);
  }
}

/** Throws for an unknown environment in `notInEnvironments`. Without this check, a misspelt name would have no effect. */
function assertEnvironments(schema: Schema): void {
  const known = new Set([
    ...schema.defaultEnvironment,
    ...environmentsOf(schema.feature, (feature) => feature.inEnvironment),
  ]);
  const unknown = environmentsOf(schema.feature, (feature) => feature.notInEnvironment).find(
    (environment) => !known.has(environment),
  );
  if (unknown === undefined) return;
  const names = [...known].map((name) => `"${name}"`).join(", ");
  throw new ArgumentError(
    "invalid-argument",
    `notInEnvironments must name an environment of the schema, found "${unknown}"; the schema has ${names || "no environments"}.`,
    { reason: "unknown-environment", argument: "notInEnvironments" },
  );
}

/** Collects the environments that `listed` returns for all features, including features nested in structs. */
function environmentsOf(
  features: readonly Feature[],
  listed: (feature: Feature) => readonly string[],
): readonly string[] {
  return features.flatMap((feature) => [...listed(feature), ...environmentsOf(childrenOf(feature), listed)]);
}

function twoRepresentations(name: string, argument: string): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `The tensor "${name}" has an explicit representation, but the builder of the feature "${name}" has one too, ` +
      "for example because of a default value.",
    { reason: "two-representations", argument },
  );
}

/**
 * Creates a builder for an existing feature, so that you can modify the feature:
 * `withFeatures(schema, { age: featureFrom(schema, "age").shape([]) })`. An unmodified builder leaves the schema unchanged.
 * @throws {SchemaError} `schema-mismatch`, reason `no-such-feature`, if the schema lacks the feature. `schema-invalid`, reason
 *   `representation`, for a shape with a size outside the range of safe integers.
 */
export function featureFrom<AnySchema extends Schema, Name extends FeatureNames<AnySchema>>(
  schema: AnySchema,
  name: Name,
): FeaturesOf<AnySchema>[Name] {
  assertSchema(schema);
  const feature = schema.feature.find((candidate) => candidate.name === name);
  if (feature === undefined) {
    const names = schema.feature.map((candidate) => `"${candidate.name}"`).join(", ");
    throw new SchemaError(
      "schema-mismatch",
      `The schema has no feature "${name}"; it has ${names || "none"}.`,
      {
        reason: "no-such-feature",
        columnPath: name,
      },
    );
  }
  // The features of a typed schema were made by builders of exactly this type. For an untyped schema, the type is
  // AnyFeatureBuilder.
  return builderOf(schema, feature) as FeaturesOf<AnySchema>[Name];
}

/**
 * Creates builders for all features of `schema`, by name. Gives the same result as {@link featureFrom} for each feature, but in
 * one pass. If a name is declared twice, the first declaration is used.
 * @throws {SchemaError} `schema-invalid`, reason `representation`, for a shape with a size outside the range of safe integers.
 */
export function featuresFrom<AnySchema extends Schema>(schema: AnySchema): FeaturesOf<AnySchema> {
  assertSchema(schema);
  const builders = new Map<string, AnyFeatureBuilder>();
  for (const feature of schema.feature) {
    if (!builders.has(feature.name)) builders.set(feature.name, builderOf(schema, feature));
  }
  return Object.fromEntries(builders) as FeaturesOf<AnySchema>;
}

/**
 * Creates a builder. For a feature with a default value, takes the shape from the explicit representation, because the feature
 * itself has a value count instead.
 */
function builderOf(schema: Schema, feature: Feature): AnyFeatureBuilder {
  const { kind, dimensions, children, message } = builderFromFeature(feature);
  const representation = ownRepresentation(schema, feature.name);
  const dense = representation?.kind.case === "denseTensor" ? representation.kind.value : undefined;
  return new FeatureBuilder(
    kind,
    dense?.defaultValue === undefined ? dimensions : dimensionsOf(dense.shape, feature.name),
    children,
    message,
    representation,
  );
}
