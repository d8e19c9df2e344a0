import type { ColumnPath, Schema } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import type { Field, Schema as ArrowSchema } from "apache-arrow";
import { isValueless } from "../array/flatten-nested.js";
import { conformedSchema } from "../list-form/conformed-schema.js";

/** A column to read from a file. */
export interface SelectedColumn {
  readonly field: Field;
  /** Index in the list of stored columns; -1 for a column that is missing from the file. */
  readonly source: number;
}

/** The part of a read request that selects columns. */
export interface ColumnRequest {
  /** Paths of the columns to read. Only the first step of a path is used. Default: all columns. */
  readonly columns?: readonly ColumnPath[] | undefined;
  readonly schema?: Schema | undefined;
  readonly unlisted?: "drop" | "error" | undefined;
}

/**
 * Selects the columns to read from a file, in the order of the schema, or of the file if there is no schema. With a schema, a
 * feature that is missing from the file has source -1, and only the first of several columns with the same name is selected.
 * @param uri URI of the file, for error messages.
 * @throws {SchemaError} `schema-mismatch` (`unlisted-feature`) for a column outside the schema, if `unlisted` is `"error"` and
 *   {@link isValueless} is false for the column's type.
 */
export function selectColumns(
  stored: ArrowSchema,
  { columns, schema, unlisted }: ColumnRequest,
  uri: string,
): readonly SelectedColumn[] {
  const wanted = columns && new Set<string | undefined>(columns.map(({ steps }) => steps[0]));
  const isWanted = ({ field }: SelectedColumn): boolean => wanted?.has(field.name) ?? true;
  const own = stored.fields.map((field, source) => ({ field, source }));
  if (schema === undefined) return own.filter(isWanted);
  const { fields } = conformedSchema(schema);
  const listed = new Set(fields.map(({ name }) => name));
  const strange = own.find(({ field: { name, type } }) => !listed.has(name) && !isValueless(type));
  if (unlisted === "error" && strange !== undefined) {
    const { name } = strange.field;
    const message = `The schema must list every column of ${uri}, found the unlisted column "${name}".`;
    throw new SchemaError("schema-mismatch", message, { reason: "unlisted-feature", columnPath: name, uri });
  }
  const byName = new Map(own.toReversed().map((column) => [column.field.name, column]));
  return fields.map((field) => byName.get(field.name) ?? { field, source: -1 }).filter(isWanted);
}

/**
 * Checks the requested columns. Does nothing without a schema.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`) if the first step of a path is not in the schema.
 */
export function assertKnownColumns({ columns = [], schema }: ColumnRequest): void {
  if (schema === undefined) return;
  const names = new Set<string | undefined>(schema.feature.map(({ name }) => name));
  const unknown = columns.find(({ steps }) => !names.has(steps[0]));
  if (unknown === undefined) return;
  const columnPath = String(unknown);
  const message = `The requested column "${columnPath}" is not in the schema.`;
  throw new SchemaError("schema-mismatch", message, { reason: "unknown-column", columnPath });
}
