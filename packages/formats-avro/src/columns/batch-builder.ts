import {
  type ColumnRequest,
  nullColumn,
  recordBatchOf,
  type SelectedColumn,
  selectColumns,
} from "@tfxio/arrow-encoding";
import { type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { arrowField } from "../schema/arrow-type.js";
import type { AvroCursor } from "./avro-cursor.js";
import type { AvroType, RecordType } from "../schema/avro-type.js";
import { createColumnBuilder } from "./column-builder.js";
import type { ColumnBuilder } from "./leaf-builders.js";
import { BatchMemory } from "./growable.js";
import { skipValue } from "./skip-value.js";

/** The columns that a plan reads from records of one Avro schema. */
export interface AvroColumns {
  readonly arrowSchema: ArrowSchema;
  /** Type of the stored records, including fields that are skipped. */
  readonly type: RecordType;
  /** Columns of {@link arrowSchema}, in its order, each with the index of its field in {@link type}. */
  readonly columns: readonly SelectedColumn[];
}

/**
 * Selects the columns of a request: features of the schema, in its order, or fields of the data if there is no schema. A value
 * that is not a record is treated as a record with the single field `value`. A feature that the data lacks is null in every row.
 * @param uri Name of the data for errors.
 * @throws {SchemaError} `schema-mismatch` (`unlisted-feature`) if the request has `unlisted: "error"`, and the data has a field
 *   that the schema lacks.
 */
export function planColumns(avroType: AvroType, request: ColumnRequest, uri: string): AvroColumns {
  const type: RecordType =
    avroType.kind === "record" ? avroType : { kind: "record", fields: [{ name: "value", type: avroType }] };
  const stored = new ArrowSchema(type.fields.map((field) => arrowField(field.name, field.type)));
  const columns = selectColumns(stored, request, uri);
  return { type, columns, arrowSchema: new ArrowSchema(columns.map(({ field }) => field)) };
}

/** Builds one batch, row by row. Must not be used again after an error or {@link finish}. */
export class BatchBuilder {
  numRows = 0;
  readonly #memory: BatchMemory;
  readonly #columns: AvroColumns;
  /** Column builders by the index of their field in the Avro record. Undefined for a skipped field. */
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

  /** Bytes allocated so far. */
  get numBytes(): number {
    return this.#memory.numBytes;
  }

  /** Reads one record at the cursor and appends it as a row. */
  append(cursor: AvroCursor): void {
    const { fields } = this.#columns.type;
    for (let source = 0; source < fields.length; source++) {
      const builder = this.#builders[source];
      if (builder === undefined) skipValue((fields[source] as { type: AvroType }).type, cursor);
      else builder.append(cursor);
    }
    this.numRows++;
  }

  /** Returns the batch, which owns its memory. */
  finish(): RecordBatch {
    const { numRows } = this;
    const built = this.#builders.map((builder) => builder?.finish());
    const children = this.#columns.columns.map(
      ({ source, field }) => built[source] ?? nullColumn(field.type, numRows),
    );
    return recordBatchOf(this.#columns.arrowSchema, numRows, children);
  }
}
