import type { ColumnPath } from "@tfxio/schema";
import {
  type Data,
  DataType,
  Field,
  makeData,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
} from "apache-arrow";

/** What stays of a batch. */
export interface BatchProjection {
  /** Paths of the columns asked for; absent: all but `dropped`. */
  readonly columns: readonly ColumnPath[] | undefined;
  /** Names of further columns that stay. */
  readonly kept: readonly string[];
  /** Names of columns that were read for other reasons. */
  readonly dropped: readonly string[];
}

/** The batch with only these columns, in its own order, structs cut down to the fields asked for. Copies nothing. */
export function projectBatch(batch: RecordBatch, { columns, kept, dropped }: BatchProjection): RecordBatch {
  const { fields } = batch.schema;
  const stays = fields.map(({ name }) => {
    if (kept.includes(name)) return true;
    return columns === undefined
      ? !dropped.includes(name)
      : columns.some(({ steps: [step] }) => step === name);
  });
  const isNested = columns?.some(({ steps }) => steps.length > 1) ?? false;
  if (!isNested && stays.every((stay) => stay)) return batch;
  const columnFields: Field[] = [];
  const children: Data[] = [];
  for (const [index, field] of fields.entries()) {
    const data = batch.data.children[index];
    if (stays[index] !== true || data === undefined) continue;
    const paths =
      columns?.filter(({ steps }) => steps[0] === field.name).map(({ steps }) => steps.slice(1)) ?? [];
    const part = pruned(data, kept.includes(field.name) ? [] : paths);
    children.push(part);
    columnFields.push(
      part === data ? field : new Field(field.name, part.type, field.nullable, field.metadata),
    );
  }
  const schema = new ArrowSchema(columnFields, batch.schema.metadata);
  const type = new Struct(columnFields);
  return new RecordBatch(schema, makeData({ type, length: batch.numRows, nullCount: 0, children }));
}

/** A struct with the fields that `paths` lead to; anything else as it is, as is a struct that is asked for whole. */
function pruned(data: Data, paths: readonly (readonly string[])[]): Data {
  if (!DataType.isStruct(data.type) || paths.length === 0 || paths.some((path) => path.length === 0))
    return data;
  const { type, length, nullCount, nullBitmap, offset } = data as Data<Struct>;
  const kept = type.children.map(({ name }) => paths.some(([step]) => step === name));
  const fields = type.children.filter((_, index) => kept[index]);
  const children = data.children.filter((_, index) => kept[index]);
  return makeData({ type: new Struct(fields), length, nullCount, nullBitmap, offset, children });
}
