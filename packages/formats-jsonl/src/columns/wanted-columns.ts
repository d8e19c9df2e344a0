import type { ColumnPath } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import { DataType, type Field } from "apache-arrow";

/** Names to read, each with the names to read in its structs. Undefined means all. */
export type WantedColumns = ReadonlyMap<string, WantedColumns> | undefined;

/** Returns the columns that the paths pass through or end at. */
export function wantedColumns(paths: readonly ColumnPath[] | undefined): WantedColumns {
  return paths && wantedBelow(paths.map(({ steps }) => steps));
}

function wantedBelow(paths: readonly (readonly string[])[]): WantedColumns {
  if (paths.some((path) => path.length === 0)) return undefined;
  const byName = new Map<string, (readonly string[])[]>();
  for (const [name = "", ...rest] of paths) {
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [rest]);
    else known.push(rest);
  }
  return new Map(Array.from(byName, ([name, rests]) => [name, wantedBelow(rests)] as const));
}

/** @throws {SchemaError} `schema-mismatch` (`unknown-column`) for a path that matches none of `fields`. */
export function assertListed(wanted: WantedColumns, fields: readonly Field[], prefix = ""): void {
  for (const [name, below] of wanted ?? []) {
    const field = fields.find((one) => one.name === name);
    const columnPath = `${prefix}${name}`;
    if (field === undefined) {
      const message = `The requested column "${columnPath}" is not in the schema.`;
      throw new SchemaError("schema-mismatch", message, { reason: "unknown-column", columnPath });
    }
    assertListed(below, fieldsWithin(field.type as DataType), `${columnPath}.`);
  }
}

function fieldsWithin(type: DataType): readonly Field[] {
  if (DataType.isList(type)) return fieldsWithin(type.valueType as DataType);
  return DataType.isStruct(type) ? type.children : [];
}
