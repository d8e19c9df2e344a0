import { makeData, RecordBatch, Struct } from "apache-arrow";
import type { ColumnSpec } from "../../sets/bench-set.js";
import { type BatchSink, batchRows } from "../subject.js";
import { arrowSchemaOf } from "./arrow-fields.js";
import type { ColumnInProgress, CreateColumn, FeatureValues, Int64Objects } from "./object-decoder.js";

/** Collects rows into record batches of {@link batchRows} rows. */
export interface BatchAssembler {
  /** Adds a row; `values` has one element per column. */
  append(values: readonly FeatureValues[]): void;
  /** Passes the last, incomplete batch to the sink, if it has rows. */
  finish(): void;
}

/** Creates an assembler that builds each column with `createColumn` and passes every full batch to `sink`. */
export function createBatchAssembler(
  columns: readonly ColumnSpec[],
  int64: Int64Objects,
  createColumn: CreateColumn,
  sink: BatchSink,
): BatchAssembler {
  const schema = arrowSchemaOf(columns);
  const batch = columns.map((column) => createColumn(column, int64));
  let numRows = 0;
  const flush = (): void => {
    const children = batch.map((column) => column.finish());
    const type = new Struct(schema.fields);
    sink(new RecordBatch(schema, makeData({ type, length: numRows, nullCount: 0, children })));
    numRows = 0;
  };
  return {
    append: (values) => {
      for (let i = 0; i < batch.length; i++)
        (batch[i] as ColumnInProgress).append(values[i] as FeatureValues);
      if (++numRows === batchRows) flush();
    },
    finish: () => {
      if (numRows > 0) flush();
    },
  };
}
