import {
  Binary,
  type Builder,
  type Data,
  type DataType,
  Field,
  Float32,
  Int64,
  makeBuilder,
  makeData,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
} from "apache-arrow";
import type { ColumnSpec } from "../../sets/bench-set.js";
import type { ValueKind } from "../../sets/example-fields.js";

/** Number of rows in a full batch. */
const batchRows = 65_536;

/** Collects rows into record batches of flat columns. The values of a row are text or numbers. */
export interface AssembleRows {
  /** Adds a row; `values` has one element per column. */
  append(values: readonly unknown[]): void;
  /** Passes the last, incomplete batch to the sink, if it has rows. */
  finish(): void;
}

/** Creates an assembler that passes its batches to `sink`. */
export type CreateAssembler = (
  columns: readonly ColumnSpec[],
  sink: (batch: RecordBatch) => void,
) => AssembleRows;

/** Creates columns with builders of arrow-js, as the arrow-js documentation recommends. */
export const builderRows: CreateAssembler = (columns, sink) => assembler(columns, builderColumn, sink);

/** Creates columns from typed arrays, as a careful user would. This is several times as fast as the builders. */
export const typedRows: CreateAssembler = (columns, sink) => assembler(columns, typedColumn, sink);

/** A column under construction. */
interface Column {
  append(value: unknown): void;
  /** Returns the values appended since the last call, and starts the column of the next batch. */
  finish(): Data;
}

const types: Readonly<Record<ValueKind, () => DataType>> = {
  int64: () => new Int64(),
  float: () => new Float32(),
  bytes: () => new Binary(),
};

function assembler(
  specs: readonly ColumnSpec[],
  createColumn: (kind: ValueKind) => Column,
  sink: (batch: RecordBatch) => void,
): AssembleRows {
  const columns = specs.map(({ kind }) => createColumn(kind));
  const schema = new ArrowSchema(specs.map(({ name, kind }) => new Field(name, types[kind](), true)));
  const type = new Struct(schema.fields);
  let numRows = 0;
  const flush = (): void => {
    const children = columns.map((column) => column.finish());
    sink(new RecordBatch(schema, makeData({ type, length: numRows, nullCount: 0, children })));
    numRows = 0;
  };
  return {
    append: (values) => {
      for (let index = 0; index < columns.length; index++) (columns[index] as Column).append(values[index]);
      if (++numRows === batchRows) flush();
    },
    finish: () => {
      if (numRows > 0) flush();
    },
  };
}

const encoder = new TextEncoder();

function builderColumn(kind: ValueKind): Column {
  const start = (): Builder => makeBuilder({ type: types[kind](), nullValues: [null] });
  const converted = {
    int64: (value: unknown) => BigInt(value as string),
    float: Number,
    bytes: (value: unknown) => encoder.encode(value as string),
  }[kind];
  let builder = start();
  return {
    append: (value) => {
      builder.append(converted(value));
    },
    finish: () => {
      const data = builder.finish().flush();
      builder = start();
      return data;
    },
  };
}

function typedColumn(kind: ValueKind): Column {
  if (kind === "int64") return int64Column();
  return kind === "float" ? floatColumn() : textColumn();
}

/** Creates a column of int64. It converts values through doubles, so their magnitudes must be at most 2^53. */
function int64Column(): Column {
  const type = new Int64();
  const values = new BigInt64Array(batchRows);
  const halves = new Int32Array(values.buffer);
  let length = 0;
  return {
    append: (value) => {
      const number = Number(value);
      halves[2 * length] = number | 0;
      halves[2 * length + 1] = Math.floor(number / 0x1_0000_0000);
      length++;
    },
    finish: () => {
      const data = makeData({ type, length, nullCount: 0, data: values.slice(0, length) });
      length = 0;
      return data;
    },
  };
}

function floatColumn(): Column {
  const type = new Float32();
  const values = new Float32Array(batchRows);
  let length = 0;
  return {
    append: (value) => {
      values[length++] = Number(value);
    },
    finish: () => {
      const data = makeData({ type, length, nullCount: 0, data: values.slice(0, length) });
      length = 0;
      return data;
    },
  };
}

function textColumn(): Column {
  const type = new Binary();
  const offsets = new Int32Array(batchRows + 1);
  let bytes = new Uint8Array(16 * batchRows);
  let length = 0;
  return {
    append: (value) => {
      const text = value as string;
      const at = offsets[length] as number;
      if (at + 3 * text.length > bytes.length) {
        const larger = new Uint8Array(2 * bytes.length + 3 * text.length);
        larger.set(bytes);
        bytes = larger;
      }
      offsets[++length] = at + appendText(text, bytes, at);
    },
    finish: () => {
      const end = offsets[length] as number;
      const valueOffsets = offsets.slice(0, length + 1);
      const data = makeData({ type, length, nullCount: 0, valueOffsets, data: bytes.slice(0, end) });
      length = 0;
      return data;
    },
  };
}

/** Writes text as UTF-8 and returns the number of bytes. A loop writes short ASCII text faster than `encodeInto` does. */
function appendText(text: string, bytes: Uint8Array, at: number): number {
  if (text.length <= 32) {
    let index = 0;
    for (; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit > 0x7f) break;
      bytes[at + index] = unit;
    }
    if (index === text.length) return index;
  }
  return encoder.encodeInto(text, bytes.subarray(at)).written;
}
