import type { HostColumns } from "@tfxio/tensor-adapter";
import { ArgumentError } from "@tfxio/wire";
import {
  aFunction,
  anInteger,
  aPositiveInteger,
  aString,
  assertOptions,
  assertArgument,
  membersOf,
  required,
  rule,
  aBoolean,
} from "@tfxio/wire/checks";
import type { RecordBatch } from "apache-arrow";
import type { RowOf } from "../columns/element-types.js";
import { Dataset } from "../dataset.js";
import type { FromRecordBatchesOptions } from "../from-record-batches.js";
import { type BatchSettings, openRecordBatches, recordBatchesPlan } from "../sources/from-record-batches.js";
import type { Permutation } from "./permutation.js";
import type { RowAccess } from "../plan.js";
import { positionsOf } from "./positions-of.js";

/** Rows that can be read by their positions, such as records of a file with an index. */
export interface RandomAccessRows {
  /** From 0 to 2^32. */
  readonly numRows: number;
  /**
   * The rows at these positions, from 0, in this order, as one record batch. May be called for several passes at once. An
   * error ends the pass.
   */
  readonly read: (
    positions: Uint32Array,
    options: { readonly signal: AbortSignal },
  ) => RecordBatch | Promise<RecordBatch>;
}

/** Options of {@link fromRandomAccess}. */
export interface FromRandomAccessOptions<Columns extends HostColumns = HostColumns>
  extends Pick<
    FromRecordBatchesOptions<Columns>,
    "arrowSchema" | "toHost" | "independentRows" | "description"
  > {
  /** Rows of one `read`, which are in memory at once. Default 1024. */
  readonly rowsPerRead?: number | undefined;
}

/**
 * A dataset of rows that can be read in any order, for {@link Dataset.shuffle} of all rows without a buffer. Without a
 * shuffle, rows come by position.
 * @throws {ArgumentError} `invalid-argument` for options of a wrong type; from the iterator when `read` gives another number
 *   of rows. Other errors as `fromRecordBatches`.
 */
export function fromRandomAccess<Columns extends HostColumns = HostColumns>(
  rows: RandomAccessRows,
  options: FromRandomAccessOptions<Columns>,
): Dataset<RowOf<Columns>> {
  const isRows = rule("{ numRows, read }", (value) => {
    const { numRows, read } = membersOf(value);
    return anInteger(0, 2 ** 32).holds(numRows) && aFunction.holds(read);
  });
  assertArgument("rows", rows, isRows, "fromRandomAccess");
  assertOptions("fromRandomAccess", options, {
    arrowSchema: required(rule("an Arrow Schema", (value) => Array.isArray(membersOf(value)["fields"]))),
    toHost: required(aFunction),
    independentRows: aBoolean,
    description: aString,
    rowsPerRead: aPositiveInteger,
  });
  const { numRows } = rows;
  const { arrowSchema, toHost, independentRows = false, description, rowsPerRead = 1024 } = options;
  const settings: BatchSettings = {
    arrowSchema,
    toHost,
    independentRows,
    cardinality: () => numRows,
    reshuffled: false,
    seed: 0,
    description: JSON.stringify([numRows, description]),
    ordered: true,
  };
  const batches = async function* (
    order: Permutation,
    first: number,
    signal: AbortSignal,
  ): AsyncGenerator<RecordBatch, void, undefined> {
    for (const positions of positionsOf(rows, order, first, rowsPerRead)) {
      const batch = await rows.read(positions, { signal });
      if (batch?.numRows !== positions.length) throw otherRows(batch, positions.length);
      yield batch;
    }
  };
  const plan = recordBatchesPlan(({ signal }) => batches((index) => index, 0, signal), settings);
  const rowAccess: RowAccess = {
    numRows,
    open: (order, first, pass) => openRecordBatches(() => batches(order, first, pass.signal), settings, pass),
  };
  return new Dataset({ ...plan, node: { ...plan.node, name: "fromRandomAccess", rowAccess } });
}

function otherRows(batch: RecordBatch | undefined, expected: number): ArgumentError {
  const found = batch?.numRows === undefined ? String(batch) : `${batch.numRows} rows`;
  return new ArgumentError(
    "invalid-argument",
    `fromRandomAccess: read returned ${found}, expected a record batch of the ${expected} requested rows`,
    { argument: "read" },
  );
}
