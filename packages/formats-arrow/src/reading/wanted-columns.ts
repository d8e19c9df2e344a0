import type { ColumnPath, Feature, Schema } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire/errors";

/** What is wanted of a column: all of it, or these fields of its struct. */
export type Wanted = "all" | WantedFields;
export type WantedFields = ReadonlyMap<string, Wanted>;

/** The fields that paths lead to. */
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

/** The fields that a schema lists. A struct whose fields it does not list is wanted as a whole. */
export function fieldsOfSchema({ feature }: Pick<Schema, "feature">): WantedFields {
  return new Map(feature.map((one) => [one.name, wantedOfFeature(one)]));
}

function wantedOfFeature({ domainInfo }: Feature): Wanted {
  if (domainInfo.case !== "structDomain" || domainInfo.value.feature.length === 0) return "all";
  return fieldsOfSchema(domainInfo.value);
}

/**
 * The fields that are both listed and asked for, in the order of the list.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`) for one that is asked for and not listed.
 */
export function narrowed(listed: WantedFields, asked: WantedFields, parent = ""): WantedFields {
  for (const [name, wanted] of asked) {
    const found = listed.get(name);
    const isLeaf = found === "all" && wanted !== "all" && parent === "" ? false : found === undefined;
    if (!isLeaf) continue;
    const columnPath = `${parent}${name}`;
    const details = { reason: "unknown-column", columnPath };
    throw new SchemaError("schema-mismatch", `the schema has no column "${columnPath}"`, details);
  }
  const kept = new Map<string, Wanted>();
  for (const [name, found] of listed) {
    const wanted = asked.get(name);
    if (wanted === undefined) continue;
    const isWhole = found === "all" || wanted === "all";
    kept.set(
      name,
      isWhole ? (found === "all" ? wanted : found) : narrowed(found, wanted, `${parent}${name}.`),
    );
  }
  return kept;
}

/** The steps of paths. */
export function stepsOf(paths: readonly ColumnPath[]): readonly (readonly string[])[] {
  return paths.map(({ steps }) => steps);
}
