import { ArgumentError } from "@tfxio/wire";
import { aFunction, assertOptions, invalidArgument, membersOf } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema, Table } from "apache-arrow";
import { Dataset } from "../dataset.js";
import type { Plan } from "../plan.js";
import type { Items } from "../sources/factory-items.js";
import { arrowPlan } from "./arrow-plan.js";
import { ARROW_RULES, type ArrowDatasetOptions } from "./options.js";

/**
 * Record batches to read: an iterable of them, or a function that returns such an iterable. The function is called once per pass,
 * at the first `next()`.
 */
export type RecordBatchSource =
  | Iterable<RecordBatch>
  | AsyncIterable<RecordBatch>
  | (() => Items<RecordBatch>);

/**
 * A dataset over the columns of Arrow record batches. Its elements are rows, batches of rows, or whole record batches. Columns
 * keep their dtypes until `withTensors`, except that half floats become float32. Where possible, columns of numbers and text
 * without nulls borrow the buffers of the record batches, so these buffers must not change.
 * @see tensorflow_io.arrow.ArrowDataset
 */
export class ArrowDataset extends Dataset<unknown> {
  private constructor(plan: Plan) {
    super(plan);
  }

  /**
   * Creates a dataset of the rows of a table in memory.
   * @throws {ArgumentError} `invalid-argument` for a value that is not a table, and for invalid options.
   * @throws {UnsupportedError} `unsupported` (`column-type`) for a column whose type has no tensor equivalent.
   * @throws {SchemaError} `schema-mismatch` (`type-mismatch`) for a column that contradicts `outputTypes` or `outputShapes`.
   * @throws {ConversionError} `not-convertible` (`nulls`) for a null, and `shape-mismatch` (`row-shape`, `ragged-lists`) for a
   *   list of the wrong length. The iterator throws the ConversionError in place of the element.
   */
  static fromTable(table: Table, options: ArrowDatasetOptions = {}): ArrowDataset {
    const { schema, batches } = membersOf(table);
    if (!Array.isArray(batches)) throw invalidArgument("table", "an Arrow table", table);
    assertOptions("ArrowDataset.fromTable", options, ARROW_RULES);
    const known = { ...options, arrowSchema: options.arrowSchema ?? (schema as ArrowSchema) };
    const listed = batches as readonly RecordBatch[];
    return new ArrowDataset(arrowPlan(() => listed, "ArrowDataset.fromTable", known, { listed }));
  }

  /**
   * Creates a dataset of the rows of record batches that share one schema. For more than one pass, give an array, or a function
   * that returns the batches of one pass. Any other iterable can be read only once.
   * @throws The errors of {@link fromTable}. The call throws the schema errors only if `arrowSchema` or the first batch of an
   *   array gives the schema. Otherwise, the iterator throws them.
   * @throws {ArgumentError} `invalid-argument` (`not-reiterable`) for a second pass over an iterable that is not an array. The
   *   iterator throws it.
   */
  static fromRecordBatches(batches: RecordBatchSource, options: ArrowDatasetOptions = {}): ArrowDataset {
    return new ArrowDataset(recordBatchesOf(batches, "ArrowDataset.fromRecordBatches", options));
  }
}

/** Returns a plan over the caller's record batches. @param owner Public function that takes them, for error messages. */
export function recordBatchesOf(
  batches: RecordBatchSource,
  owner: string,
  options: ArrowDatasetOptions,
): Plan {
  assertOptions(owner, options, ARROW_RULES);
  const arrowSchema = options.arrowSchema ?? schemaOfList(batches);
  const listed = Array.isArray(batches) ? (batches as readonly RecordBatch[]) : undefined;
  return arrowPlan(passesOf(batches, owner), owner, { ...options, arrowSchema }, { listed });
}

function schemaOfList(batches: RecordBatchSource): ArrowSchema | undefined {
  return Array.isArray(batches) ? ((batches as readonly RecordBatch[])[0]?.schema ?? undefined) : undefined;
}

/**
 * Returns a function that returns the batches of one pass.
 * @throws {ArgumentError} `invalid-argument` for a value that cannot provide batches. For an iterable that is not an array, the
 *   second call of the returned function throws `invalid-argument` (`not-reiterable`).
 */
function passesOf(batches: RecordBatchSource, owner: string): () => Items<RecordBatch> {
  if (aFunction.holds(batches)) return batches as () => Items<RecordBatch>;
  if (Array.isArray(batches)) return () => batches as RecordBatch[];
  if (!(Symbol.iterator in Object(batches)) && !(Symbol.asyncIterator in Object(batches))) {
    throw invalidArgument(
      "batches",
      "an iterable of record batches, or a function that returns such an iterable",
      batches,
    );
  }
  let isRead = false;
  return () => {
    if (isRead) {
      throw new ArgumentError(
        "invalid-argument",
        `${owner}: for a second pass, batches must be an array or a function, found an iterable that was already read.`,
        { reason: "not-reiterable", argument: "batches" },
      );
    }
    isRead = true;
    return batches as Items<RecordBatch>;
  };
}
