import { conformedSchema, createBatchConformer, isValueless, recordBatchOf } from "@tfxio/arrow-encoding";
import type { PlanRequest } from "@tfxio/format";
import type { Schema } from "@tfxio/schema";
import { ArgumentError, SchemaError } from "@tfxio/wire/errors";
import { type Data, DataType, Field, Int64, Schema as ArrowSchema } from "apache-arrow";
import {
  type StoredColumn,
  type StoredSchema,
  withChildren,
  withoutReading,
} from "../metadata/stored-column.js";
import {
  askedFields,
  fieldsOfPaths,
  fieldsOfSchema,
  stepsOf,
  type Wanted,
  type WantedFields,
} from "./wanted-columns.js";

/** The columns of a source that a plan reads. */
export interface Selection {
  /** Every column of the source, including skipped ones (`isRead` is false). */
  readonly columns: readonly StoredColumn[];
  /** True only if every column of the source is read completely. */
  readonly isWhole: boolean;
  readonly arrowSchema: ArrowSchema;
  /**
   * For each column of a batch except the row position column: its index among the columns that are read, or undefined if the
   * source lacks it.
   */
  readonly positions: readonly (number | undefined)[];
  /** Returns the columns that the source lacks, with `numRows` nulls each. */
  absentColumns(numRows: number): readonly Data[];
}

/**
 * Returns the selection for a request. With a schema, there is one column for each requested feature, in the schema's order and
 * with the source's type. A column that the source lacks is null, with the type it would have in tf.Examples.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`, `unlisted-feature`).
 * @throws {ArgumentError} `invalid-argument` (`row-column-collision`).
 */
export function selectColumns(
  stored: StoredSchema,
  { columns, schema, unlisted, rowPositionColumn }: PlanRequest,
  uri: string,
): Selection {
  const asked = columns && fieldsOfPaths(stepsOf(columns));
  if (unlisted === "error" && schema !== undefined) {
    assertListed(stored.columns, fieldsOfSchema(schema), { uri, parent: "" });
  }
  const wanted = schema === undefined ? asked : asked ? askedFields(schema, asked) : fieldsOfSchema(schema);
  const selected = stored.columns.map((column) => {
    const part = wanted === undefined ? "all" : wanted.get(column.field.name);
    const found = selectColumn(column, part);
    if (found !== undefined) return found;
    // If the schema declares a struct but the column is not one, read the column: the conversion to the schema rejects it later.
    const isOther = schema !== undefined && part !== undefined && structIn(column) === undefined;
    return isOther ? column : withoutReading(column);
  });
  const read = selected.filter(({ isRead }) => isRead);
  const positionOf = positionsByName(read);
  const fields = schema === undefined ? read.map(({ field }) => field) : fieldsOf(schema, read, wanted);
  const positions = fields.map(({ name }, at) => (schema === undefined ? at : positionOf.get(name)));
  const absent = fields.filter((_, at) => positions[at] === undefined).map(({ name }) => name);
  if (rowPositionColumn !== undefined) fields.push(positionField(rowPositionColumn, fields));
  return {
    columns: selected,
    isWhole: selected.every((column, at) => column === stored.columns[at]),
    arrowSchema: new ArrowSchema(fields, new Map(stored.metadata)),
    positions,
    absentColumns: schema === undefined || absent.length === 0 ? () => [] : absentColumnsOf(schema, absent),
  };
}

const noColumns = new ArrowSchema([]);

/** Returns a function that creates null columns for the features in `names`. */
function absentColumnsOf(schema: Schema, names: readonly string[]): (numRows: number) => readonly Data[] {
  const wanted = new Set(names);
  const feature = schema.feature.filter(({ name }) => wanted.has(name));
  const conform = createBatchConformer({ ...schema, feature });
  return (numRows) => conform(recordBatchOf(noColumns, numRows, [])).data.children;
}

/** Returns the position of each column by name. If a name repeats, the first column counts. */
function positionsByName(columns: readonly StoredColumn[]): ReadonlyMap<string, number> {
  return new Map(columns.map(({ field }, at) => [field.name, at] as const).toReversed());
}

function fieldsOf(schema: Schema, read: readonly StoredColumn[], wanted: WantedFields | undefined): Field[] {
  const positionOf = positionsByName(read);
  return conformedSchema(schema)
    .fields.filter(({ name }) => wanted?.has(name) ?? true)
    .map((field) => read[positionOf.get(field.name) ?? -1]?.field ?? field);
}

function positionField(name: string, fields: readonly Field[]): Field {
  if (!fields.some((field) => field.name === name)) return new Field(name, new Int64(), true);
  throw new ArgumentError(
    "invalid-argument",
    `The row position column "${name}" has the same name as another column.`,
    {
      argument: "rowPositionColumn",
      reason: "row-column-collision",
    },
  );
}

/** Returns the requested part of a column; undefined if none of it is requested. */
function selectColumn(column: StoredColumn, wanted: Wanted | undefined): StoredColumn | undefined {
  if (wanted === undefined || wanted === "all") return wanted && column;
  const { layout, children } = column;
  // A path has no step for a list, so it continues with the list's items.
  const hasItems = isList(column);
  if (layout.kind !== "struct" && !hasItems) return undefined;
  const selected = children.map((child) => {
    return (
      (hasItems ? selectColumn(child, wanted) : selectColumn(child, wanted.get(child.field.name))) ??
      withoutReading(child)
    );
  });
  if (!selected.some(({ isRead }) => isRead)) return undefined;
  return withChildren(column, selected);
}

/** Returns the column if it is a struct, the item struct if it is a list of structs (however deeply nested), else undefined. */
function structIn(column: StoredColumn): StoredColumn | undefined {
  if (column.layout.kind === "struct") return column;
  return isList(column) ? structIn(column.children[0] as StoredColumn) : undefined;
}

/** True for lists of every layout, except maps. */
function isList({ field, layout }: StoredColumn): boolean {
  const { kind } = layout;
  return (kind === "list" || kind === "list-view" || kind === "fixed-list") && !DataType.isMap(field.type);
}

/**
 * Checks that the schema lists every column that can have values. If the schema lists fields of a struct, all fields of the
 * struct are checked in the same way, even if the struct is in lists.
 * @throws {SchemaError} `schema-mismatch` (`unlisted-feature`).
 */
function assertListed(
  columns: readonly StoredColumn[],
  listed: WantedFields,
  { uri, parent }: { readonly uri: string; readonly parent: string },
): void {
  for (const column of columns) {
    const { field } = column;
    const columnPath = `${parent}${field.name}`;
    const wanted = listed.get(field.name);
    if (wanted === undefined) {
      if (isValueless(field.type)) continue;
      throw new SchemaError("schema-mismatch", `Column "${columnPath}" of ${uri} is not in the schema.`, {
        reason: "unlisted-feature",
        columnPath,
        actual: String(field.type),
        uri,
      });
    }
    const struct = structIn(column);
    if (wanted !== "all" && struct !== undefined) {
      assertListed(struct.children, wanted, { uri, parent: `${columnPath}.` });
    }
  }
}
