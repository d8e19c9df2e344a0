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
   * Converts a batch to host columns, like `TensorAdapter.toHost`. Called when an operator needs columns or elements. `batch(n)`
   * calls `toHost` with the `n` rows of each batch that it forms. Other operators call it with the record batch that contains the
   * element. After an error, `toHost` may be called again with parts of the record batch, to find the rows that cannot be
   * converted.
   */
  readonly toHost: (batch: RecordBatch) => Columns;
  /**
   * True if `toHost` converts each row of a batch independently of all others. Each record batch is then converted once, and
   * batches are slices of its columns. This makes batching several times as fast. Default false.
   */
  readonly independentRows?: boolean | undefined;
  /**
   * True if `factory` returns the rows in a different order in each pass. {@link Dataset.skip} then throws. Default false.
   */
  readonly reshuffled?: boolean | undefined;
  /**
   * Seed that `factory` receives. `factory` must return the same order for the same seed and pass. Default: a random seed, drawn
   * once and stored in checkpoints.
   */
  readonly seed?: number | undefined;
  /**
   * Text that identifies the source of the rows, and all settings that affect the rows or their order, except `arrowSchema` and
   * `seed`. A checkpoint is valid only for a dataset with the same text.
   */
  readonly description?: string | undefined;
  /**
   * False if the order of rows in a pass is not deterministic, for example with concurrent readers. After the first `next()`,
   * {@link DatasetIterator.state} then throws `unsupported`. Default true.
   */
  readonly ordered?: boolean | undefined;
  /**
   * Number of rows in one pass, or a function that returns it. The function may return `"unknown"` until the number is known.
   * Default `"unknown"`.
   */
  readonly cardinality?: Cardinality | (() => Cardinality) | undefined;
}

/**
 * Creates a dataset of the rows of record batches. Each pass calls `factory` once, at the first `next()`, and reads its batches
 * one at a time, on demand. Each row is one element: a dict with one leaf for each column that `toHost` returns. If operators
 * only move the rows, {@link Dataset.recordBatches} returns them in Arrow form, without a conversion. A row that `toHost` rejects
 * becomes a failed element. A batch of {@link Dataset.batch} that contains such a row fails.
 * @throws {ArgumentError} `invalid-argument` for invalid options. The iterator throws it for a value that is not a RecordBatch.
 * @throws {SchemaError} `schema-mismatch` (`batch-schema`) for a batch whose column names or types differ from `arrowSchema`. The
 *   iterator throws it.
 * @throws {UserFunctionError} `user-function` if the factory, the iterable that it returns, or `toHost` throws. The iterator of
 *   the dataset throws it, but passes on a TfxioError unchanged.
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
      operator: "fromRecordBatches",
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
