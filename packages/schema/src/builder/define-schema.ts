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

// Exists in types only: a typed schema is an ordinary Schema message.
declare const definitions: unique symbol;

/** A TFMD schema whose features the compiler knows. At run time it is a plain `Schema` message. */
export type TypedSchema<Features extends FeatureDefinitions> = Schema & { readonly [definitions]: Features };

/** The builders of a schema's features, by name. For an untyped schema, any name is possible. */
export type FeaturesOf<AnySchema extends Schema> =
  AnySchema extends TypedSchema<infer Features> ? Features : FeatureDefinitions;

/** Feature names of a schema. */
export type FeatureNames<AnySchema extends Schema> = keyof FeaturesOf<AnySchema> & string;

/** Kind of one feature. */
export type FeatureKindOf<AnySchema extends Schema, Name extends FeatureNames<AnySchema>> =
  FeaturesOf<AnySchema>[Name] extends FeatureBuilder<infer Kind, FeatureShape, FeatureDefinitions>
    ? Kind
    : FeatureKind;

/** Shape of one feature; a tuple of literals if it was written as one. */
export type FeatureShapeOf<AnySchema extends Schema, Name extends FeatureNames<AnySchema>> =
  FeaturesOf<AnySchema>[Name] extends FeatureBuilder<FeatureKind, infer Shape, FeatureDefinitions>
    ? Shape
    : FeatureShape;

/** A sparse feature: its indices and values are separate features. */
export interface SparseDefinition<Features extends FeatureDefinitions> {
  /** Int features with the indices, one for each dimension; {@link FeatureBuilder.range} gives a dimension's size. */
  readonly indices: readonly NamesOfKind<Features, "int">[];
  /** Feature with the values. */
  readonly values: NamesOfKind<Features, "int" | "float" | "bytes">;
  /** True when the indices of every example are in row-major order. */
  readonly sorted?: boolean | undefined;
}

type NamesOfKind<Features extends FeatureDefinitions, Kind extends FeatureKind> = {
  [Name in keyof Features]: Features[Name]["kind"] extends Kind ? Name : never;
}[keyof Features] &
  string;

/** Argument of {@link defineSchema}. */
export interface SchemaDefinition<Features extends FeatureDefinitions> {
  /** In column order, except that JavaScript moves names that are whole numbers to the front. */
  readonly features: Features;
  readonly sparseFeatures?: Readonly<Record<string, SparseDefinition<Features>>> | undefined;
  /**
   * `default_environment`: every feature occurs in these environments unless its `notInEnvironments` lists them. Default: none.
   */
  readonly environments?: readonly string[] | undefined;
  /** Kind of tensor for features without a fixed shape. Default `"sparse"`. */
  readonly variableLength?: "sparse" | "ragged" | undefined;
  /** Explicit tensors of the default group, by tensor name. */
  readonly representations?:
    | Readonly<Record<string, MessageInitShape<typeof TensorRepresentationSchema>>>
    | undefined;
}

/**
 * A TFMD schema written in TypeScript. The result is the protobuf message itself, so any function that takes a `Schema` accepts
 * it. Its type carries the names, kinds and shapes of the features.
 * @throws {ArgumentError} `invalid-argument` if a feature is not a builder. Reason `unknown-option` for an unknown key. Reason
 *   `two-representations` if an explicit representation has the name of a feature with a default value. Reason
 *   `unknown-environment` if `notInEnvironments` names an environment that is not a default and that no feature lists.
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
 * A copy of `schema` that contains `features`. Each replaces the feature of the same name, or is appended. It also replaces the
 * feature's own explicit representation: the tensor in the default group that has the feature's name and reads only this feature.
 * Everything else in `schema` is kept, including fields that builders cannot express and tensors with other names.
 * @throws {ArgumentError} `invalid-argument`, reason `two-representations`, if a builder has a default value, but an explicit
 *   tensor with the feature's name reads other columns.
 */
export function withFeatures<const AnySchema extends Schema, const Features extends FeatureDefinitions>(
  schema: AnySchema,
  features: Features,
): TypedSchema<Omit<FeaturesOf<AnySchema>, keyof Features> & Features> {
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
  // The brand exists in types only.
  return result as TypedSchema<Omit<FeaturesOf<AnySchema>, keyof Features> & Features>;
}

function firstPositions(features: readonly Feature[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const [index, { name }] of features.entries()) if (!positions.has(name)) positions.set(name, index);
  return positions;
}

const DEFINITION_RULES: OptionRules<SchemaDefinition<FeatureDefinitions>> = {
  features: null,
  sparseFeatures: anObject,
  environments: aListOfNames,
  variableLength: oneOf("sparse", "ragged"),
  representations: anObject,
};

const SPARSE_RULES: OptionRules<SparseDefinition<FeatureDefinitions>> = {
  indices: required(aListOfNames),
  // Checked below: like each index, it must name a feature.
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
    throw unusableArgument(argument, `names "${unknown}", which is not a feature`);
  }
}

/** Without this check, `notInEnvironments` with a misspelt name would have no effect. */
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
    `notInEnvironments names "${unknown}", an environment without features; the schema has ${names || "no environments"}`,
    { reason: "unknown-environment", argument: "notInEnvironments" },
  );
}

function environmentsOf(
  features: readonly Feature[],
  listed: (feature: Feature) => readonly string[],
): readonly string[] {
  return features.flatMap((feature) => [...listed(feature), ...environmentsOf(childrenOf(feature), listed)]);
}

function twoRepresentations(name: string, argument: string): ArgumentError {
  return new ArgumentError(
    "invalid-argument",
    `the tensor "${name}" has an explicit representation, but its feature already has one, for its default value`,
    { reason: "two-representations", argument },
  );
}

/**
 * A builder for an existing feature, to modify it: `withFeatures(schema, { age: featureFrom(schema, "age").shape([]) })`. Putting
 * it back unchanged changes nothing.
 * @throws {SchemaError} `schema-mismatch`, reason `no-such-feature`; `schema-invalid`, reason `representation`, for a
 *   shape with a size above 2^53 - 1.
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
      `the schema has no feature "${name}"; it has ${names || "none"}`,
      {
        reason: "no-such-feature",
        columnPath: name,
      },
    );
  }
  // A typed schema was made from such builders. For any other schema the type makes no claim.
  return builderOf(schema, feature) as FeaturesOf<AnySchema>[Name];
}

/**
 * Builders for all features of `schema`, by name: the same as {@link featureFrom} for each, in one pass. If a name is declared
 * twice, the first declaration counts.
 * @throws {SchemaError} `schema-invalid`, reason `representation`, for a shape with a size above 2^53 - 1.
 */
export function featuresFrom<AnySchema extends Schema>(schema: AnySchema): FeaturesOf<AnySchema> {
  assertSchema(schema);
  const builders = new Map<string, AnyFeatureBuilder>();
  for (const feature of schema.feature) {
    if (!builders.has(feature.name)) builders.set(feature.name, builderOf(schema, feature));
  }
  return Object.fromEntries(builders) as FeaturesOf<AnySchema>;
}

function builderOf(schema: Schema, feature: Feature): AnyFeatureBuilder {
  const { kind, dimensions, children, message } = builderFromFeature(feature);
  const representation = ownRepresentation(schema, feature.name);
  const dense = representation?.kind.case === "denseTensor" ? representation.kind.value : undefined;
  return new FeatureBuilder(
    kind,
    dense?.defaultValue === undefined ? dimensions : dimensionsOf(dense.shape),
    children,
    message,
    representation,
  );
}
