import { ColumnPath } from "@tfxio/schema";
import { SchemaError } from "@tfxio/wire";
import { aBoolean, assertArgument, assertOptions, type OptionRules } from "@tfxio/wire/checks";
import { type Data, DataType, type Field, type RecordBatch } from "apache-arrow";
import { aColumnPath, aRecordBatch } from "../argument-rules.js";
import { type ColumnElements, columnElements, fieldElements } from "./column-access.js";
import { elementsData } from "./elements-data.js";
import { fieldIndex } from "./field-index.js";
import { flattenElements, innermostType, iota } from "../array/flatten-nested.js";
import { toSingletonLists } from "./singleton-list.js";

/** A column of a batch, or a field of its structs at any depth. */
export interface ColumnAtPath {
  readonly path: ColumnPath;
  /** The top-level column itself, or a struct field with one entry per struct, null where the struct is null. */
  readonly data: Data;
  /** int32, one per entry of `data`: the entry's row in the batch. */
  readonly rows: Int32Array;
}

/** Options of {@link columnAtPath}. */
export interface ColumnAtPathOptions {
  /**
   * If a returned column has type Struct, wraps each of its structs in a list of one, so that structs occur only in lists.
   * Default false.
   */
  readonly wrapFlatStructs?: boolean | undefined;
}

/** Options of {@link columnsByPath}. */
export interface ColumnsByPathOptions extends ColumnAtPathOptions {
  /** Omits structs and lists of structs, but descends into them. Default false. */
  readonly leavesOnly?: boolean | undefined;
}

/**
 * Returns the column at a path. The path has a column name, then a field name for each level of structs. Lists add no step.
 * @throws {SchemaError} `schema-mismatch` (`path-not-found`), also for the empty path.
 * @see tfx_bsl.arrow.table_util.get_array
 */
export function columnAtPath(
  batch: RecordBatch,
  path: ColumnPath,
  options: ColumnAtPathOptions = {},
): ColumnAtPath {
  assertArgument("batch", batch, aRecordBatch);
  assertArgument("path", path, aColumnPath);
  assertOptions("columnAtPath", options, COLUMN_RULES);
  const [name, ...fields] = path.steps;
  if (name === undefined) throw notFound(path, "the path is empty");
  const column = batch.data.children[fieldIndex(batch.schema.fields, name)];
  if (column === undefined)
    throw notFound(path, `the batch has ${batch.schema.names.join(", ") || "no columns"}`);
  let elements = columnElements(column);
  let rows = iota(column.length);
  for (const field of fields) {
    ({ elements, rows } = flattenElements(elements, rows));
    const { type } = elements.data;
    if (!DataType.isStruct(type) || fieldIndex(type.children, field) < 0) {
      throw notFound(path, `${type} has no field "${field}"`);
    }
    elements = fieldElements(elements, field);
  }
  return found(path, elements, rows, options);
}

/**
 * Yields all columns of a batch and the fields of their structs. A struct precedes its fields.
 * @see tfx_bsl.arrow.table_util.enumerate_arrays
 */
export function columnsByPath(
  batch: RecordBatch,
  options: ColumnsByPathOptions = {},
): Generator<ColumnAtPath, void, undefined> {
  assertArgument("batch", batch, aRecordBatch);
  assertOptions("columnsByPath", options, COLUMNS_RULES);
  return walkColumns(batch, options);
}

const COLUMN_RULES: OptionRules<ColumnAtPathOptions> = { wrapFlatStructs: aBoolean };
const COLUMNS_RULES: OptionRules<ColumnsByPathOptions> = { ...COLUMN_RULES, leavesOnly: aBoolean };

function* walkColumns(
  batch: RecordBatch,
  options: ColumnsByPathOptions,
): Generator<ColumnAtPath, void, undefined> {
  for (const [index, { name }] of batch.schema.fields.entries()) {
    const column = batch.data.children[index] as Data;
    yield* walk(ColumnPath.of(name), columnElements(column), iota(column.length), options);
  }
}

/** Yields the column at `path`, then its fields. */
function* walk(
  path: ColumnPath,
  elements: ColumnElements,
  rows: Int32Array,
  options: ColumnsByPathOptions,
): Generator<ColumnAtPath, void, undefined> {
  const inner = innermostType(elements.data.type);
  const isLeaf = !DataType.isStruct(inner);
  if (isLeaf || options.leavesOnly !== true) yield found(path, elements, rows, options);
  if (isLeaf) return;
  const structs = flattenElements(elements, rows);
  for (const { name } of inner.children as readonly Field[]) {
    yield* walk(path.child(name), fieldElements(structs.elements, name), structs.rows, options);
  }
}

/** Converts the elements of a walk to a column. Wraps structs in lists if the caller requested that. */
function found(
  path: ColumnPath,
  elements: ColumnElements,
  rows: Int32Array,
  options: ColumnAtPathOptions,
): ColumnAtPath {
  const data = elementsData(elements);
  const isWrapped = options.wrapFlatStructs === true && DataType.isStruct(data.type);
  return { path, data: isWrapped ? toSingletonLists(data) : data, rows };
}

function notFound(path: ColumnPath, finding: string): SchemaError {
  return new SchemaError("schema-mismatch", `The batch has no column at "${path.toString()}": ${finding}.`, {
    reason: "path-not-found",
    columnPath: path.toString(),
  });
}
