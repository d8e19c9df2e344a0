import { conformedSchema, createBatchConformer, emptyBatch, recordBatchOf } from "@tfxio/arrow-encoding";
import type { PayloadRequest } from "@tfxio/format";
import { bytes, type ColumnPath, defineSchema, int, type Schema } from "@tfxio/schema";
import { ArgumentError, SchemaError } from "@tfxio/wire";
import {
  Binary,
  type Data,
  type DataType,
  Field,
  Int64,
  List,
  type RecordBatch,
  Schema as ArrowSchema,
} from "apache-arrow";
import type { RawOptions } from "../options.js";

/** A column of raw records and its content. */
export interface RawColumn {
  readonly name: string;
  /** The bytes of each record, or its number in the file as int64. */
  readonly content: "record" | "record-index";
}

/** Columns of a plan, and a function that builds batches of them. */
export interface RawColumns {
  /** Columns that a session fills, in the order in which {@link toBatch} takes them. */
  readonly columns: readonly RawColumn[];
  /** Schema of the batches, including null columns for features that raw records lack. */
  readonly arrowSchema: ArrowSchema;
  /** TFMD schema in which each column except `rawRecordColumn` is a scalar. Undefined if the caller passed a schema. */
  readonly schema: Schema | undefined;
  /** Builds a batch. Borrows `columns`, which must have one element for each of {@link RawColumns.columns}. */
  toBatch(this: void, columns: readonly Data[], numRows: number): RecordBatch;
}

/**
 * Returns the columns of a request. A schema in the request determines the order of the columns. Features of the schema that raw
 * records lack become null columns.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`, `unlisted-feature`, `wrong-kind`), or `schema-invalid`
 *   (`bad-schema-type`).
 * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`).
 */
export function rawColumnsOf(request: PayloadRequest, options: RawOptions): RawColumns {
  const { schema, columns: paths, rawRecordColumn, unlisted } = request;
  const known = knownColumns(options);
  const names = paths?.map(nameOf);
  const isWanted = (name: string): boolean => names === undefined || names.includes(name);
  const unknown =
    schema === undefined && names?.find((name) => !known.some((column) => column.name === name));
  if (unknown) throw unknownColumn(unknown, "the raw records");
  const own = known.filter(({ name }) => isWanted(name));
  const ownSchema = new ArrowSchema(own.map(fieldOf));
  const listed = schema === undefined ? undefined : projected(schema, names);
  const conform = listed && createBatchConformer(listed, { unlisted });
  // All batches have the same columns, so converting an empty batch reveals every schema mismatch before the read.
  conform?.(emptyBatch(ownSchema));
  const base = listed === undefined ? ownSchema : conformedSchema(listed);
  const added = rawRecordColumn === undefined ? [] : [addedColumn(rawRecordColumn, base, known)];
  const addedFields = added.map(fieldOf);
  return {
    columns: [...own, ...added],
    arrowSchema: new ArrowSchema([...base.fields, ...addedFields]),
    schema: schema === undefined ? schemaOf(own) : undefined,
    toBatch(columns, numRows) {
      const batch = recordBatchOf(ownSchema, numRows, columns.slice(0, own.length));
      const conformed = conform === undefined ? batch : conform(batch);
      const fields = [...conformed.schema.fields, ...addedFields];
      const children = [...conformed.data.children, ...columns.slice(own.length)];
      return recordBatchOf(new ArrowSchema(fields), numRows, children);
    },
  };
}

function knownColumns({ recordColumn, recordIndexColumn }: RawOptions): readonly RawColumn[] {
  const record: RawColumn = { name: recordColumn, content: "record" };
  if (recordIndexColumn === undefined) return [record];
  return [record, { name: recordIndexColumn, content: "record-index" }];
}

function addedColumn(name: string, { fields }: ArrowSchema, known: readonly RawColumn[]): RawColumn {
  if (![...fields, ...known].some((column) => column.name === name)) return { name, content: "record" };
  throw new ArgumentError(
    "invalid-argument",
    `The raw record column "${name}" has the same name as another column.`,
    {
      reason: "raw-column-collision",
      argument: "rawRecordColumn",
    },
  );
}

/** Returns the field of a column. It is nullable, like the columns of tf.Examples. */
function fieldOf({ name, content }: RawColumn): Field {
  const type: DataType = content === "record" ? new Binary() : new Int64();
  return new Field(name, new List(new Field("item", type, true)), true);
}

/** Returns a TFMD schema in which each column is a scalar feature. */
function schemaOf(columns: readonly RawColumn[]): Schema {
  const features = columns.map(({ name, content }) => [
    name,
    content === "record" ? bytes().shape([]) : int().shape([]),
  ]);
  return defineSchema({ features: Object.fromEntries(features) as Record<string, never> });
}

function nameOf(path: ColumnPath): string {
  const [name] = path.steps;
  if (name === undefined || path.length > 1)
    throw unknownColumn(path.toString(), "the raw records, whose columns are flat");
  return name;
}

/** Returns the schema with only the features in `names`. Throws `unknown-column` if one is missing. */
function projected(schema: Schema, names: readonly string[] | undefined): Schema {
  if (names === undefined) return schema;
  for (const name of names) {
    if (!schema.feature.some((feature) => feature.name === name)) throw unknownColumn(name, "the schema");
  }
  return { ...schema, feature: schema.feature.filter(({ name }) => names.includes(name)) };
}

function unknownColumn(columnPath: string, place: string): SchemaError {
  return new SchemaError("schema-mismatch", `The requested column "${columnPath}" is not in ${place}.`, {
    reason: "unknown-column",
    columnPath,
  });
}
