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
   * Converts a batch to host columns, like `TensorAdapter.toHost`. Called once an operator needs columns or elements: with
   * a whole batch of `batch(n)`, or with the record batch that holds the element.
   */
  readonly toHost: (batch: RecordBatch) => Columns;
  /**
   * True if the other rows of a batch never affect how `toHost` converts a row. Large record batches are then converted
   * once and batches are sliced from the columns, which is several times faster. Default false.
   */
  readonly independentRows?: boolean | undefined;
  /**
   * True when `factory` returns the rows in a different order each pass; {@link Dataset.skip} then throws. Default false.
   */
  readonly reshuffled?: boolean | undefined;
  /**
   * Seed passed to `factory`, which must return the same order for the same seed and pass. Default: drawn once. Checkpoints
   * store a drawn seed.
   */
  readonly seed?: number | undefined;
  /** Your description of anything else that determines the rows and their order. A checkpoint is valid only for an equal one. */
  readonly description?: string | undefined;
  /**
   * False if the row order of a pass is not deterministic, for example with concurrent readers. Then
   * {@link DatasetIterator.state} throws `unsupported`. Default true.
   */
  readonly ordered?: boolean | undefined;
  /** Number of rows in one pass, or a function that returns the current knowledge of it. Default `"unknown"`. */
  readonly cardinality?: Cardinality | (() => Cardinality) | undefined;
}

/**
 * A dataset of the rows of record batches. Each pass calls `factory` once, on the first `next()`, and reads its batches one
 * at a time, on demand. Each row is one element: a dict with one leaf per column of `toHost`. Rows stay in Arrow form while
 * operators only move them, and {@link Dataset.recordBatches} returns them. A row that `toHost` rejects is a failed element.
 * A batch fails with any of its rows.
 * @throws {ArgumentError} `invalid-argument` for invalid options; from the iterator for a value that is not a RecordBatch.
 * @throws {SchemaError} `schema-mismatch` (`batch-schema`) from the iterator for a batch with another schema.
 * @throws {UserFunctionError} `user-function` from the iterator when the factory, its batches or `toHost` throw. A
 *   TfxioError is rethrown unchanged.
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
    cardinality: rule(`${aCardinality.expected}, or a function that returns it`, (value) =>
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
