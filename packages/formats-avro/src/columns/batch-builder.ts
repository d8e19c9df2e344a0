import { conformedSchema, nullColumn, recordBatchOf } from "@tfxio/arrow-encoding";
import type { PlanRequest } from "@tfxio/format";
import { SchemaError } from "@tfxio/wire";
import { Field, type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { arrowField } from "../schema/arrow-type.js";
import type { AvroCursor } from "./avro-cursor.js";
import type { AvroType, RecordType } from "../schema/avro-type.js";
import { createColumnBuilder } from "./column-builder.js";
import type { ColumnBuilder } from "./leaf-builders.js";
import { BatchMemory } from "./growable.js";
import { skipValue } from "./skip-value.js";

/** Which columns are asked for. */
export type ColumnRequest = Pick<PlanRequest, "columns" | "schema" | "unlisted">;

/** A column of the batches. */
interface PlannedColumn {
  readonly field: Field;
  /** Position of the field in the Avro record; -1 for a column that the data lacks. */
  readonly source: number;
}

/** Which columns are made of records of one Avro schema. */
export interface AvroColumns {
  readonly arrowSchema: ArrowSchema;
  readonly type: RecordType;
  readonly columns: readonly PlannedColumn[];
}

/**
 * Chooses columns: those of the schema in its order, else those of the data. A value that is not a record is a record of one
 * field, `value`. A feature that the data lacks is null in every row.
 * @throws {SchemaError} `schema-mismatch` (`unlisted-feature`), or (`unknown-column`) for a column that the schema lacks.
 */
export function planColumns(avroType: AvroType, request: ColumnRequest, uri: string): AvroColumns {
  const { schema, unlisted, columns: paths } = request;
  const type: RecordType =
    avroType.kind === "record" ? avroType : { kind: "record", fields: [{ name: "value", type: avroType }] };
  const stored = type.fields.map((field, source) => ({ field: arrowField(field.name, field.type), source }));
  const wanted = paths && new Set<string | undefined>(paths.map(({ steps }) => steps[0]));
  const isWanted = ({ field }: PlannedColumn): boolean => wanted?.has(field.name) ?? true;
  if (schema === undefined) {
    const columns = stored.filter(isWanted);
    return { type, columns, arrowSchema: new ArrowSchema(columns.map(({ field }) => field)) };
  }
  const { fields } = conformedSchema(schema);
  const strange = stored.find(({ field }) => fields.every(({ name }) => name !== field.name));
  if (unlisted === "error" && strange !== undefined) {
    const { name } = strange.field;
    const message = `${uri} has a column "${name}", which the schema does not list.`;
    throw new SchemaError("schema-mismatch", message, { reason: "unlisted-feature", columnPath: name, uri });
  }
  const columns = fields
    .map((field) => stored.find((column) => column.field.name === field.name) ?? { field, source: -1 })
    .filter(isWanted);
  return { type, columns, arrowSchema: new ArrowSchema(columns.map(({ field }) => field)) };
}

/** @throws {SchemaError} `schema-mismatch` (`unknown-column`) for a path that the schema does not have. */
export function assertKnownColumns({ columns = [], schema }: ColumnRequest): void {
  if (schema === undefined) return;
  const unknown = columns.find(({ steps }) => schema.feature.every(({ name }) => name !== steps[0]));
  if (unknown === undefined) return;
  const columnPath = String(unknown);
  const message = `There is no column "${columnPath}" in the schema.`;
  throw new SchemaError("schema-mismatch", message, { reason: "unknown-column", columnPath });
}

/** Fills one batch with rows. After an error it is thrown away. */
export class BatchBuilder {
  numRows = 0;
  readonly #memory: BatchMemory;
  readonly #columns: AvroColumns;
  /** By position in the Avro record; undefined for a field that is passed over. */
  readonly #builders: readonly (ColumnBuilder | undefined)[];

  constructor(columns: AvroColumns, uri: string, maxBytes: number) {
    this.#columns = columns;
    const memory = new BatchMemory(maxBytes, uri);
    this.#memory = memory;
    const used = new Set(columns.columns.map(({ source }) => source));
    this.#builders = columns.type.fields.map(({ type }, source) =>
      used.has(source) ? createColumnBuilder(type, memory) : undefined,
    );
  }

  /** Allocated so far. */
  get numBytes(): number {
    return this.#memory.numBytes;
  }

  append(cursor: AvroCursor): void {
    const { fields } = this.#columns.type;
    for (let source = 0; source < fields.length; source++) {
      const builder = this.#builders[source];
      if (builder === undefined) skipValue((fields[source] as { type: AvroType }).type, cursor);
      else builder.append(cursor);
    }
    this.numRows++;
  }

  finish(): RecordBatch {
    const { numRows } = this;
    const built = this.#builders.map((builder) => builder?.finish());
    const children = this.#columns.columns.map(
      ({ source, field }) => built[source] ?? nullColumn(field.type, numRows),
    );
    return recordBatchOf(this.#columns.arrowSchema, numRows, children);
  }
}
