import {
  conformedSchema,
  createBatchConformer,
  listColumnsSchema,
  recordBatchOf,
  toListColumns,
} from "@tfxio/arrow-encoding";
import type { Format } from "@tfxio/format";
import type { Schema } from "@tfxio/schema";
import { type Data, type Field, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { DataRequest } from "./data-request.js";

/** Converts batches of a format, and their schema, to the requested form. */
export interface ColumnForm {
  schemaOf(formatSchema: ArrowSchema): ArrowSchema;
  convert(batch: RecordBatch): RecordBatch;
}

const asTheyAre: ColumnForm = { schemaOf: (schema) => schema, convert: (batch) => batch };
const asLists: ColumnForm = { schemaOf: listColumnsSchema, convert: toListColumns };

/**
 * Creates the column form for a request. In list form, a format whose columns are already lists keeps its types. For other
 * formats, a schema that the caller passes determines the types of the lists. An inferred schema describes the columns and
 * changes no types.
 * @param isAdded Returns true for columns that are added to the data, such as raw records. In list form, they become lists whose
 *   types do not depend on the schema.
 */
export function createColumnForm(
  { columnForm: own }: Pick<Format, "columnForm">,
  { columnForm = "lists", schema, unlisted, isInferred = false, float64 }: DataRequest,
  isAdded: (name: string) => boolean,
): ColumnForm {
  if (columnForm === "stored") return asTheyAre;
  if (own === "lists") return withAddedColumns(asTheyAre, isAdded);
  if (schema === undefined || isInferred) return asLists;
  return withAddedColumns(asSchemaSays(schema, { unlisted, float64 }), isAdded);
}

function asSchemaSays(schema: Schema, options: Pick<DataRequest, "unlisted" | "float64">): ColumnForm {
  const conformed = conformedSchema(schema);
  return { schemaOf: () => conformed, convert: createBatchConformer(schema, options) };
}

/** Applies `form` to the columns of the data, and appends the added columns as lists. */
function withAddedColumns(form: ColumnForm, isAdded: (name: string) => boolean): ColumnForm {
  const isOwn = (name: string): boolean => !isAdded(name);
  return {
    schemaOf({ fields, metadata }) {
      const own = form.schemaOf(
        new ArrowSchema(
          fields.filter(({ name }) => isOwn(name)),
          metadata,
        ),
      );
      const added = listColumnsSchema(new ArrowSchema(fields.filter(({ name }) => isAdded(name))));
      return new ArrowSchema([...own.fields, ...added.fields], own.metadata);
    },
    convert(batch) {
      if (!batch.schema.fields.some(({ name }) => isAdded(name))) return form.convert(batch);
      const own = form.convert(columnsOf(batch, isOwn));
      const added = toListColumns(columnsOf(batch, isAdded));
      const fields = [...own.schema.fields, ...added.schema.fields];
      return batchOf(fields, [...own.data.children, ...added.data.children], batch.numRows);
    },
  };
}

function columnsOf(batch: RecordBatch, keep: (name: string) => boolean): RecordBatch {
  const { fields } = batch.schema;
  const children = batch.data.children.filter((_, index) => keep((fields[index] as Field).name));
  return batchOf(
    fields.filter(({ name }) => keep(name)),
    children,
    batch.numRows,
  );
}

function batchOf(fields: readonly Field[], children: readonly Data[], numRows: number): RecordBatch {
  return recordBatchOf(new ArrowSchema([...fields]), numRows, children);
}
