import type { HostColumns } from "@tfxio/tensor-adapter";
import {
  aBoolean,
  aFunction,
  anInteger,
  aString,
  assertArgument,
  assertOptions,
  membersOf,
  required,
  rule,
} from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { aCardinality, type Cardinality } from "./cardinality.js";
import { Dataset } from "./dataset.js";
import type { RowOf } from "./columns/element-types.js";
import { type RecordBatchFactory, recordBatchesPlan } from "./sources/from-record-batches.js";

/** Options of {@link fromRecordBatches}. */
export interface FromRecordBatchesOptions<Columns extends HostColumns = HostColumns> {
  /** Schema of every batch. */
  readonly arrowSchema: ArrowSchema;
  /**
   * A batch as host columns, as `TensorAdapter.toHost` returns them. Called when the first operator needs columns or
   * elements: for a whole batch of `batch(n)`, or for the record batch that an element lies in.
   */
  readonly toHost: (batch: RecordBatch) => Columns;
  /**
   * True if `toHost` gives a row the same values and shape whatever other rows are in its batch. Large record batches
   * are then converted once, and batches are cut from the columns, which is several times faster. Default false.
   */
  readonly independentRows?: boolean | undefined;
  /**
   * True when `factory` returns the rows in a different order each pass; {@link Dataset.skip} is then refused. Default false.
   */
  readonly reshuffled?: boolean | undefined;
  /**
   * Seed that `factory` is given; with equal seeds and passes it has to give equal orders. Default: drawn once. A
   * checkpoint holds a seed that was drawn.
   */
  readonly seed?: number | undefined;
  /** Your description of anything else that determines the rows and their order. A checkpoint is valid only for an equal one. */
  readonly description?: string | undefined;
  /**
   * False if `factory` does not fix the order of rows in a pass, as with readers that race. Iterators then have no
   * {@link DatasetIterator.state}. Default true.
   */
  readonly ordered?: boolean | undefined;
  /** Number of rows of one pass, or a function that returns the number known so far. Default `"unknown"`. */
  readonly cardinality?: Cardinality | (() => Cardinality) | undefined;
}

/**
 * A dataset of the rows of record batches. `factory` is called once per pass, at its first `next()`; its batches are read
 * one at a time, as they are needed. One element is one row, a dict of the rows of `toHost`'s columns. Rows stay Arrow
 * as long as operators only move them: {@link Dataset.recordBatches} gives them back. A row that `toHost` refuses is an
 * element that failed; a batch fails with any of its rows.
 * @throws {ArgumentError} `invalid-argument` for options of a wrong type; from the iterator for what is no RecordBatch,
 *   and {@link SchemaError} `schema-mismatch` (`batch-schema`) for a batch of another schema. What the factory's batches
 *   and `toHost` throw: errors of this project as they are, others as {@link UserFunctionError}.
 */
export function fromRecordBatches<Columns extends HostColumns = HostColumns>(
  factory: RecordBatchFactory,
  options: FromRecordBatchesOptions<Columns>,
): Dataset<RowOf<Columns>> {
  assertArgument("factory", factory, aFunction, "fromRecordBatches");
  assertOptions("fromRecordBatches", options, {
    arrowSchema: required(rule("an Arrow Schema", (value) => Array.isArray(membersOf(value)["fields"]))),
    toHost: required(aFunction),
    independentRows: aBoolean,
    reshuffled: aBoolean,
    seed: anInteger(0),
    description: aString,
    ordered: aBoolean,
    cardinality: rule(`${aCardinality.expected}, or a function that gives it`, (value) =>
      typeof value === "function" ? true : aCardinality.holds(value),
    ),
  });
  const {
    arrowSchema,
    toHost,
    independentRows = false,
    reshuffled = false,
    seed,
    description,
    ordered = true,
    cardinality = "unknown",
  } = options;
  return new Dataset(
    recordBatchesPlan(factory, {
      arrowSchema,
      toHost,
      independentRows,
      reshuffled,
      seed,
      description,
      ordered,
      cardinality: typeof cardinality === "function" ? cardinality : () => cardinality,
    }),
  );
}
