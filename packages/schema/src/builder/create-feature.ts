import { clone, create } from "@bufbuild/protobuf";
import { ArgumentError } from "@tfxio/wire";
import { anObject, assertArgument, membersOf, type Rule, rule } from "@tfxio/wire/checks";
import { childrenOf } from "../features.js";
import {
  type Feature,
  FeatureSchema,
  FeatureType,
  StructDomainSchema,
} from "../generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { dimensionsOf } from "../representation/shape.js";
import { type AnyFeatureBuilder, FeatureBuilder, type FeatureDefinitions } from "./feature-builder.js";
import type { FeatureKind } from "./feature-kind.js";

const featureTypes: Readonly<Record<FeatureKind, FeatureType>> = {
  int: FeatureType.INT,
  float: FeatureType.FLOAT,
  bytes: FeatureType.BYTES,
  struct: FeatureType.STRUCT,
  unknown: FeatureType.TYPE_UNKNOWN,
};

/** Creates a feature of 64-bit integers. Its length is variable until {@link FeatureBuilder.shape} is called. */
export function int(): FeatureBuilder<"int", undefined> {
  return builderOf("int");
}

/** Creates a feature of 32-bit floats. Its length is variable until {@link FeatureBuilder.shape} is called. */
export function float(): FeatureBuilder<"float", undefined> {
  return builderOf("float");
}

/** Creates a feature of byte strings or text. Its length is variable until {@link FeatureBuilder.shape} is called. */
export function bytes(): FeatureBuilder<"bytes", undefined> {
  return builderOf("bytes");
}

/**
 * Creates a feature that contains other features: a nested message, or the feature lists of a tf.SequenceExample.
 * @throws {ArgumentError} `invalid-argument` if a child is not a builder. Reason `default-in-struct` if a child has a default
 *   value. Children become ragged tensors, and a ragged tensor cannot have a default value.
 */
export function struct<Children extends FeatureDefinitions>(
  children: Children,
): FeatureBuilder<"struct", undefined, Children> {
  assertFeatures(children, "children");
  const withDefault = Object.entries(children).find(([, child]) => child.defaultValue !== undefined);
  if (withDefault !== undefined) {
    throw new ArgumentError(
      "invalid-argument",
      `The children of a struct must not have default values, but "${withDefault[0]}" has one.`,
      {
        reason: "default-in-struct",
        argument: "children",
      },
    );
  }
  const message = create(FeatureSchema, {
    type: FeatureType.STRUCT,
    domainInfo: {
      case: "structDomain",
      value: create(StructDomainSchema, {
        feature: Object.entries(children).map(([name, child]) => namedFeature(name, child)),
      }),
    },
  });
  return new FeatureBuilder("struct", undefined, children, message);
}

/**
 * Checks that every value of `features` is a builder.
 * @param argument Name of the checked argument, for the message.
 * @throws {ArgumentError} `invalid-argument`
 */
export function assertFeatures(features: FeatureDefinitions, argument: string): void {
  assertArgument(argument, features, anObject);
  for (const [name, builder] of Object.entries<unknown>(features)) {
    assertArgument(`${argument}.${name}`, builder, aFeatureBuilder);
  }
}

/** A structural check, so that builders from a second install of this package pass too. */
const aFeatureBuilder: Rule = rule(
  "a feature made by int(), float(), bytes(), struct() or featureFrom()",
  (value) => membersOf(membersOf(value)["message"])["$typeName"] === FeatureSchema.typeName,
);

/** Copies the builder's feature and names the copy `name`. */
export function namedFeature(name: string, builder: AnyFeatureBuilder): Feature {
  const feature = clone(FeatureSchema, builder.message);
  if (feature.name !== name) feature.name = name;
  return feature;
}

/**
 * Creates a builder for an existing feature. The builder borrows `message` and never changes it. A type that no kind covers
 * becomes the kind `unknown`.
 * @throws {SchemaError} `schema-invalid`, reason `representation`, for a shape with a size outside the range of safe integers.
 */
export function builderFromFeature(message: Feature): AnyFeatureBuilder {
  const kind = (Object.keys(featureTypes) as FeatureKind[]).find(
    (candidate) => featureTypes[candidate] === message.type,
  );
  const { name, shapeType } = message;
  const dimensions = shapeType.case === "shape" ? dimensionsOf(shapeType.value, name) : undefined;
  const children = Object.fromEntries(
    childrenOf(message).map((child) => [child.name, builderFromFeature(child)]),
  );
  return new FeatureBuilder(kind ?? "unknown", dimensions, children, message);
}

/** Creates a builder of an unnamed feature that has only a type. */
function builderOf<Kind extends FeatureKind>(kind: Kind): FeatureBuilder<Kind, undefined> {
  return new FeatureBuilder(kind, undefined, {}, create(FeatureSchema, { type: featureTypes[kind] }));
}
