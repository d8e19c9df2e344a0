import { type ColumnPath, type Feature, FeatureType } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire/errors";

/** The requested part of a column: all of it, or these fields of its struct. */
export type Wanted = "all" | WantedFields;

/** Features of a schema or of a struct. */
export interface FeatureList {
  readonly feature: readonly Feature[];
}

/** The requested part of each column or struct field, by name. */
export type WantedFields = ReadonlyMap<string, Wanted>;

/** Returns the fields that paths lead to. */
export function fieldsOfPaths(paths: readonly (readonly string[])[]): WantedFields {
  const below = new Map<string, (readonly string[])[]>();
  for (const [first, ...rest] of paths) {
    if (first === undefined) continue;
    const known = below.get(first);
    if (known === undefined) below.set(first, [rest]);
    else known.push(rest);
  }
  const wantedOf = (rests: readonly (readonly string[])[]): Wanted =>
    rests.some(({ length }) => length === 0) ? "all" : fieldsOfPaths(rests);
  return new Map([...below].map(([name, rests]) => [name, wantedOf(rests)]));
}

/** Returns the fields that a schema lists. A struct without listed fields is requested as a whole. */
export function fieldsOfSchema({ feature }: FeatureList): WantedFields {
  return new Map(
    feature.map((one) => {
      const fields = structFields(one);
      return [one.name, fields.length === 0 ? "all" : fieldsOfSchema({ feature: fields })];
    }),
  );
}

/**
 * Returns the requested fields of a schema, in its order.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`) for a field that the schema does not list.
 */
export function askedFields(schema: FeatureList, asked: WantedFields, parent = ""): WantedFields {
  const features = new Map(schema.feature.map((feature) => [feature.name, feature]));
  for (const [name, wanted] of asked) {
    const feature = features.get(name);
    const hasFields = wanted === "all" || feature?.type === FeatureType.STRUCT;
    if (feature !== undefined && hasFields) continue;
    const [below = ""] =
      wanted === "all" || feature === undefined ? [] : [...wanted.keys()].map((key) => `.${key}`);
    const columnPath = `${parent}${name}${below}`;
    throw new SchemaError("schema-mismatch", `The requested column "${columnPath}" is not in the schema.`, {
      reason: "unknown-column",
      columnPath,
    });
  }
  const kept = new Map<string, Wanted>();
  for (const [name, feature] of features) {
    const wanted = asked.get(name);
    if (wanted === undefined) continue;
    const fields = structFields(feature);
    const listed = fieldsOfSchema({ feature: fields });
    if (fields.length === 0) kept.set(name, wanted);
    else
      kept.set(
        name,
        wanted === "all" ? listed : askedFields({ feature: fields }, wanted, `${parent}${name}.`),
      );
  }
  return kept;
}

function structFields({ domainInfo }: Feature): readonly Feature[] {
  return domainInfo.case === "structDomain" ? domainInfo.value.feature : [];
}

export function stepsOf(paths: readonly ColumnPath[]): readonly (readonly string[])[] {
  return paths.map(({ steps }) => steps);
}
