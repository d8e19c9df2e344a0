import { create } from "@bufbuild/protobuf";
import {
  type Feature,
  FeatureSchema,
  FeatureType,
  type Schema,
  SchemaSchema,
  StructDomainSchema,
} from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import type { Field } from "../expression/graph-node.js";
import { knownFields } from "../expression/known-fields.js";
import { Path } from "../path/path.js";

// TFMD features are attached to fields. They compute nothing, so plans have no node for them.

/**
 * Attaches each feature to the field with the same name.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`) for a feature without a field.
 */
export function applySchema(root: Field, { feature }: Schema): Field {
  return withFeatures(root, feature, "");
}

/**
 * Attaches features to the fields below a field. Checks all nested features before it returns.
 * @param at path of the field in error messages, with a dot at the end; empty for the root.
 */
function withFeatures(field: Field, features: readonly Feature[], at: string): Field {
  const byName = new Map(features.map((feature) => [feature.name, feature]));
  for (const [name, feature] of byName) {
    const child = field.child(name);
    if (child !== undefined) {
      withFeatures(child, nestedFeatures(feature), `${at}${name}.`);
      continue;
    }
    throw new SchemaError(
      "schema-mismatch",
      `The schema has a feature "${at}${name}", but the data has no such field.`,
      {
        reason: "unknown-column",
        columnPath: `${at}${name}`,
      },
    );
  }
  return {
    ...field,
    child: (step) => {
      const child = field.child(step);
      const feature = byName.get(String(step));
      if (child === undefined || feature === undefined) return child;
      return { ...withFeatures(child, nestedFeatures(feature), `${at}${step}.`), feature };
    },
  };
}

/** Returns the features of a message's fields; empty if the message's own feature has no struct domain. */
function nestedFeatures({ domainInfo }: Feature): readonly Feature[] {
  return domainInfo.case === "structDomain" ? domainInfo.value.feature : [];
}

/**
 * Returns a schema with the features of the known fields. A message without a feature gets one if any field below it has one.
 * @throws The errors of {@link knownFields}.
 */
export function schemaOf(root: Field): Schema {
  knownFields(root, Path.of([]));
  return create(SchemaSchema, { feature: featuresBelow(root) });
}

/** Returns the features of the known fields below a field. Each feature is named after the step of its field. */
function featuresBelow(field: Field): Feature[] {
  return field.knownSteps().flatMap((step) => {
    const child = field.child(step)!;
    const below = child.node.type.kind === "leaf" ? [] : featuresBelow(child);
    const { feature } = child;
    if (feature === undefined && below.length === 0) return [];
    const named = { ...(feature ?? { type: FeatureType.STRUCT }), name: String(step) };
    if (below.length === 0) return [create(FeatureSchema, named)];
    const value = create(StructDomainSchema, { feature: below });
    return [create(FeatureSchema, { ...named, domainInfo: { case: "structDomain", value } })];
  });
}
