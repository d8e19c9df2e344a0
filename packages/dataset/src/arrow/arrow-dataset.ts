import { ArgumentError } from "@tfxio/wire";
import { aFunction, assertOptions, invalidArgument, membersOf } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema, Table } from "apache-arrow";
import { Dataset } from "../dataset.js";
import type { Plan } from "../plan.js";
import type { Items } from "../sources/factory-items.js";
import { arrowPlan } from "./arrow-plan.js";
import { ARROW_RULES, type ArrowDatasetOptions } from "./options.js";

/** Record batches, or a function that returns the batches of one pass. */
export type RecordBatchSource =
  | Iterable<RecordBatch>
  | AsyncIterable<RecordBatch>
  | (() => Items<RecordBatch>);

/**
 * A dataset over the columns of Arrow record batches. Its elements are rows, batches of rows, or whole record batches.
 * Values keep their dtypes until `withTensors`. Numbers and text without nulls are views of the record batches.
 * @see tensorflow_io.arrow.ArrowDataset
 */
export class ArrowDataset extends Dataset<unknown> {
  private constructor(plan: Plan) {
    super(plan);
  }

  /**
   * The rows of a table in memory.
   * @throws {ArgumentError} `invalid-argument`
   * @throws {UnsupportedError} `unsupported` (`column-type`) for a column whose type has no tensor equivalent.
   * @throws {SchemaError} `schema-mismatch` (`type-mismatch`) for a column that contradicts `outputTypes` or `outputShapes`.
   */
  static fromTable(table: Table, options: ArrowDatasetOptions = {}): ArrowDataset {
    const { schema, batches } = membersOf(table);
    if (!Array.isArray(batches)) throw invalidArgument("table", "an Arrow table", table);
    assertOptions("ArrowDataset.fromTable", options, ARROW_RULES);
    const known = { arrowSchema: schema as ArrowSchema, ...options };
    const listed = batches as readonly RecordBatch[];
    return new ArrowDataset(arrowPlan(() => listed, "ArrowDataset.fromTable", known, { listed }));
  }

  /**
   * The rows of record batches that share one schema. An iterator can be read only once. For several passes, give an array
   * or a function that returns the batches of each pass.
   * @throws as {@link fromTable}. When the schema is not known at the call, these errors come with the first batch.
   * @throws {ArgumentError} `invalid-argument` (`not-reiterable`) from the second pass over an iterator.
   */
  static fromRecordBatches(batches: RecordBatchSource, options: ArrowDatasetOptions = {}): ArrowDataset {
    return new ArrowDataset(recordBatchesOf(batches, "ArrowDataset.fromRecordBatches", options));
  }
}

/** A plan over the caller's record batches. @param owner the public function that takes them, for error messages. */
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

/** A function that returns the batches of each pass. */
function passesOf(batches: RecordBatchSource, owner: string): () => Items<RecordBatch> {
  if (aFunction.holds(batches)) return batches as () => Items<RecordBatch>;
  if (Array.isArray(batches)) return () => batches as RecordBatch[];
  if (!(Symbol.iterator in Object(batches)) && !(Symbol.asyncIterator in Object(batches))) {
    throw invalidArgument("batches", "record batches, or a function that gives them", batches);
  }
  let isRead = false;
  return () => {
    if (isRead) {
      throw new ArgumentError(
        "invalid-argument",
        `${owner}: these batches can be read only once; pass an array, or a function that returns new batches`,
        { reason: "not-reiterable", argument: "batches" },
      );
    }
    isRead = true;
    return batches as Items<RecordBatch>;
  };
}
