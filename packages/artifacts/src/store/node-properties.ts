import { anObject, assertOptional, unusableArgument } from "@tfxio/wire/checks";
import type { Database } from "./database.js";
import type { NodeType } from "./entities.js";
import type { NodeTables } from "./node-kinds.js";
import { idList } from "./sql-values.js";
import {
  type Properties,
  type PropertyValue,
  propertyValue,
  type StoredValue,
  storedValue,
} from "./values/property-value.js";
import { assertText } from "./values/value-errors.js";

/** A node's declared and custom properties. */
export interface NodeProperties {
  readonly properties: Properties;
  readonly customProperties: Properties;
}

/** Returns a map from node id to properties. Properties are ordered by name; nodes without properties are left out. */
export function readProperties(
  database: Database,
  { table, idColumn }: NodeTables,
  ids: readonly number[],
): Map<number, NodeProperties> {
  const entries = new Map<number, Record<keyof NodeProperties, [string, PropertyValue][]>>();
  const rows = database.all(
    `SELECT * FROM ${table}Property WHERE ${idColumn} IN (SELECT value FROM json_each(?)) ORDER BY ${idColumn}, name`,
    idList(ids),
  );
  for (const row of rows) {
    const id = Number(row[idColumn]);
    const name = row["name"] as string;
    const own = entries.get(id) ?? { properties: [], customProperties: [] };
    entries.set(id, own);
    const sort = row["is_custom_property"] === 0n ? "properties" : "customProperties";
    own[sort].push([name, propertyValue(row, `${name} of ${table} ${id}`)]);
  }
  return new Map(
    [...entries].map(([id, { properties, customProperties }]) => [
      id,
      { properties: Object.fromEntries(properties), customProperties: Object.fromEntries(customProperties) },
    ]),
  );
}

/**
 * Replaces all stored properties of a node with the properties of `node`. Omitted properties are deleted.
 * @throws {ArgumentError} `invalid-argument` (`undeclared-property`) for a property that the type does not declare,
 * (`property-type`) for a value whose type differs from the declared type, (`property-value`) for a value that cannot be
 * stored.
 */
export function replaceProperties(
  database: Database,
  { table, idColumn }: NodeTables,
  {
    id,
    node,
    type,
  }: { readonly id: number; readonly node: Partial<NodeProperties>; readonly type: NodeType },
): void {
  assertOptional("properties", node.properties, anObject);
  assertOptional("customProperties", node.customProperties, anObject);
  const insert = (name: string, isCustom: boolean, { column, value }: StoredValue): void => {
    database.run(
      `INSERT INTO ${table}Property (${idColumn}, name, is_custom_property, ${column}) VALUES (?, ?, ?, ?)`,
      BigInt(id),
      name,
      isCustom ? 1n : 0n,
      value,
    );
  };
  database.run(`DELETE FROM ${table}Property WHERE ${idColumn} = ?`, BigInt(id));
  for (const [name, value] of Object.entries(node.properties ?? {})) {
    const place = `properties.${name}`;
    const declared = Object.hasOwn(type.properties, name) ? type.properties[name] : undefined;
    if (declared === undefined) {
      throw unusableArgument(
        place,
        `must be declared by type ${type.name}; use customProperties, or add the property to the type`,
        {
          reason: "undeclared-property",
        },
      );
    }
    const stored = storedValue(place, value, declared);
    if (stored.type !== declared) {
      throw unusableArgument(
        place,
        `must be ${declared}, as type ${type.name} declares, found ${stored.type}`,
        {
          reason: "property-type",
        },
      );
    }
    insert(name, false, stored);
  }
  for (const [name, value] of Object.entries(node.customProperties ?? {})) {
    const place = `customProperties.${name}`;
    assertText(place, name);
    insert(name, true, storedValue(place, value));
  }
}
