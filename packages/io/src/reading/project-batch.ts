import { recordBatchOf } from "@tfxio/arrow-encoding";
import type { ColumnPath } from "@tfxio/schema";
import {
  type Data,
  DataType,
  Field,
  makeData,
  type RecordBatch,
  Schema as ArrowSchema,
  Struct,
} from "apache-arrow";
import { byFirstStep } from "../projection.js";

/** The columns of a batch to keep. */
export interface BatchProjection {
  /** Paths of the requested columns. Undefined: all columns except `dropped`. */
  readonly columns: readonly ColumnPath[] | undefined;
  /** Names of top-level columns that are always kept. */
  readonly kept: readonly string[];
  /** Names of columns to drop if `columns` is undefined, such as columns that were read only for sampling. */
  readonly dropped: ReadonlySet<string>;
}

/**
 * Returns a batch with only the kept columns, in their original order. Structs keep only the requested fields. The columns are
 * borrowed, not copied.
 */
export function projectBatch(batch: RecordBatch, { columns, kept, dropped }: BatchProjection): RecordBatch {
  const { fields } = batch.schema;
  const pathsIn = columns && byFirstStep(columns.map(({ steps }) => steps));
  const stays = fields.map(({ name }) => {
    if (kept.includes(name)) return true;
    return pathsIn === undefined ? !dropped.has(name) : pathsIn.has(name);
  });
  const isNested = columns?.some(({ steps }) => steps.length > 1) ?? false;
  if (!isNested && stays.every((stay) => stay)) return batch;
  const columnFields: Field[] = [];
  const children: Data[] = [];
  for (const [index, field] of fields.entries()) {
    const data = batch.data.children[index];
    if (stays[index] !== true || data === undefined) continue;
    const paths = kept.includes(field.name) ? undefined : pathsIn?.get(field.name);
    const part = pruned(data, paths ?? []);
    children.push(part);
    columnFields.push(
      part === data ? field : new Field(field.name, part.type, field.nullable, field.metadata),
    );
  }
  const schema = new ArrowSchema(columnFields, batch.schema.metadata);
  return recordBatchOf(schema, batch.numRows, children);
}

/**
 * Returns a struct column with only the requested fields. Returns any other column, and a struct that is requested as a whole,
 * unchanged.
 * @param paths Requested paths within the column. An empty path, or an empty list, requests the whole column.
 */
function pruned(data: Data, paths: readonly (readonly string[])[]): Data {
  if (!DataType.isStruct(data.type) || paths.length === 0 || paths.some((path) => path.length === 0))
    return data;
  const { type, length, nullCount, nullBitmap, offset } = data as Data<Struct>;
  const pathsIn = byFirstStep(paths);
  const fields: Field[] = [];
  const children: Data[] = [];
  for (const [index, field] of type.children.entries()) {
    const child = data.children[index];
    const inField = pathsIn.get(field.name);
    if (child === undefined || inField === undefined) continue;
    const part = pruned(child, inField);
    children.push(part);
    fields.push(part === child ? field : new Field(field.name, part.type, field.nullable, field.metadata));
  }
  return makeData({ type: new Struct(fields), length, nullCount, nullBitmap, offset, children });
}
