import type { HostColumns } from "@tfxio/tensor-adapter";
import { ArgumentError, isTfxioError, untilAborted, UserFunctionError } from "@tfxio/wire";
import {
  aBoolean,
  aFunction,
  anInteger,
  aPositiveInteger,
  aString,
  assertArgument,
  assertOptions,
  describeValue,
  membersOf,
  required,
  rule,
} from "@tfxio/wire/checks";
import type { RecordBatch } from "apache-arrow";
import { aCardinality, type Cardinality } from "../cardinality.js";
import type { RowOf } from "../columns/element-types.js";
import { Dataset } from "../dataset.js";
import type { FromRecordBatchesOptions } from "../from-record-batches.js";
import { Pacer } from "../pacer.js";
import type { RowAccess } from "../plan.js";
import { type BatchSettings, openRecordBatches, recordBatchesPlan } from "../sources/from-record-batches.js";
import type { Permutation } from "./permutation.js";
import { positionsOf } from "./positions-of.js";

/** Options passed to `read` of {@link RandomAccessRows}. */
export interface ReadAtOptions {
  /** Aborted when the pass closes, even if the pass has reached its end. `read` must then stop waiting. */
  readonly signal: AbortSignal;
  /**
   * To be called between the steps of a long computation. If the event loop must get a turn, returns a promise to await.
   * Otherwise returns undefined.
   */
  readonly pause: () => Promise<void> | undefined;
}

/** Rows that can be read by position, such as the records of an indexed file. */
export interface RandomAccessRows {
  /** Number of rows: an integer from 0 to 2^32. */
  readonly numRows: number;
  /**
   * Maximum number of rows per `read`. The rows of one `read` are all in memory at once. Default: the option `rowsPerRead` of
   * {@link fromRandomAccess}.
   */
  readonly rowsPerRead?: number | undefined;
  /**
   * Returns the rows at `positions`, in that order, as one or more record batches. Positions count from 0. Concurrent passes
   * may call `read` at the same time. An error ends the pass.
   */
  readonly read: (
    positions: Uint32Array,
    options: ReadAtOptions,
  ) => RecordBatch | Promise<RecordBatch> | AsyncIterable<RecordBatch>;
}

/**
 * Opens the rows. Called at the first `next()` of the first pass. Later passes reuse the rows. If the call fails, the next pass
 * tries again.
 */
export type OpenRandomAccess = () => Promise<RandomAccessRows>;

/** Options of {@link fromRandomAccess}. */
export interface FromRandomAccessOptions<Columns extends HostColumns = HostColumns>
  extends Pick<
    FromRecordBatchesOptions<Columns>,
    "arrowSchema" | "toHost" | "independentRows" | "description" | "cardinality"
  > {
  /** Maximum number of rows per `read`. The rows of one `read` are all in memory at once. Default 1024. */
  readonly rowsPerRead?: number | undefined;
}

const someRows = rule("{ numRows, read }, with a positive rowsPerRead if set", (value) => {
  const { numRows, read, rowsPerRead = 1 } = membersOf(value);
  return anInteger(0, 2 ** 32).holds(numRows) && aFunction.holds(read) && aPositiveInteger.holds(rowsPerRead);
});

/**
 * Creates a dataset of rows that can be read by position. It can be shuffled without a buffer: see {@link Dataset.shuffle} with
 * `"all"`. Without a shuffle, rows are in the order of their positions.
 * @param rows The rows, or a function that opens them. With a function, `cardinality` defaults to `"unknown"`.
 * @throws {ArgumentError} `invalid-argument` for invalid arguments. The iterator throws it if the function does not resolve
 *   to {@link RandomAccessRows}, or if `read` returns the wrong number of rows.
 * @throws {UserFunctionError} `user-function` if the function or `read` throws. The iterator throws this error, and the other
 *   errors of `fromRecordBatches`. It passes on a TfxioError unchanged.
 */
export function fromRandomAccess<Columns extends HostColumns = HostColumns>(
  rows: RandomAccessRows | OpenRandomAccess,
  options: FromRandomAccessOptions<Columns>,
): Dataset<RowOf<Columns>> {
  const opened = typeof rows === "function" ? undefined : rows;
  if (opened !== undefined || !aFunction.holds(rows))
    assertArgument("rows", rows, someRows, "fromRandomAccess");
  assertOptions("fromRandomAccess", options, {
    arrowSchema: required(rule("an Arrow Schema", (value) => Array.isArray(membersOf(value)["fields"]))),
    toHost: required(aFunction),
    independentRows: aBoolean,
    description: aString,
    cardinality: rule(`${aCardinality.expected}, or a function that returns it`, (value) =>
      typeof value === "function" ? true : aCardinality.holds(value),
    ),
    rowsPerRead: aPositiveInteger,
  });
  const { arrowSchema, toHost, independentRows = false, description, rowsPerRead = 1024 } = options;
  const cardinality: Cardinality | (() => Cardinality) = options.cardinality ?? opened?.numRows ?? "unknown";
  const settings: BatchSettings = {
    operator: "fromRandomAccess",
    arrowSchema,
    toHost,
    independentRows,
    cardinality: typeof cardinality === "function" ? cardinality : () => cardinality,
    reshuffled: false,
    seed: 0,
    description: JSON.stringify([opened?.numRows ?? null, description]),
    ordered: true,
  };
  const open = typeof rows === "function" ? openedOnce(rows) : () => Promise.resolve(rows);
  const batches = (order: Permutation, first: number, signal: AbortSignal): AsyncGenerator<RecordBatch> =>
    batchesAt(open, { order, first, rowsPerRead, signal });
  const plan = recordBatchesPlan(({ signal }) => batches((index) => index, 0, signal), settings);
  const rowAccess: RowAccess = {
    numRows: opened?.numRows ?? (async (signal) => (await untilAborted(open(), signal)).numRows),
    open: (order, first, pass) => openRecordBatches(() => batches(order, first, pass.signal), settings, pass),
  };
  return new Dataset({ ...plan, node: { ...plan.node, name: "fromRandomAccess", rowAccess } });
}

/**
 * The rows that one pass reads: those from `order(first)` on. If {@link RandomAccessRows.rowsPerRead} is set, it overrides the
 * `rowsPerRead` of this interface.
 */
interface Reading {
  readonly order: Permutation;
  readonly first: number;
  readonly rowsPerRead: number;
  readonly signal: AbortSignal;
}

async function* batchesAt(
  open: OpenRandomAccess,
  { order, first, rowsPerRead, signal }: Reading,
): AsyncGenerator<RecordBatch, void, undefined> {
  const rows = await untilAborted(open(), signal);
  const pacer = new Pacer();
  const reading: ReadAtOptions = { signal, pause: () => pacer.pause(signal) };
  for (const positions of positionsOf(rows.numRows, order, first, rows.rowsPerRead ?? rowsPerRead)) {
    let numRows = 0;
    for await (const batch of batchesOf(() => rows.read(positions, reading), signal)) {
      numRows += hasSchema(batch) ? batch.numRows : Number.NaN;
      if (!(numRows <= positions.length)) throw otherRows(batch, numRows, positions.length);
      yield batch;
    }
    if (numRows < positions.length) throw otherRows(undefined, numRows, positions.length);
  }
}

async function* batchesOf(
  read: () => ReturnType<RandomAccessRows["read"]>,
  signal: AbortSignal,
): AsyncGenerator<RecordBatch, void, undefined> {
  try {
    const result = read();
    if (Symbol.asyncIterator in Object(result)) yield* result as AsyncIterable<RecordBatch>;
    else yield await (result as RecordBatch | Promise<RecordBatch>);
  } catch (error) {
    if (signal.aborted) throw error;
    failed("read", error);
  }
}

function openedOnce(open: OpenRandomAccess): OpenRandomAccess {
  let opened: Promise<RandomAccessRows> | undefined;
  const openNow = async (): Promise<RandomAccessRows> => {
    const rows = await (async () => open())().catch((error: unknown) =>
      failed("the function that opens the rows", error),
    );
    assertArgument("rows", rows, someRows, "fromRandomAccess");
    return rows;
  };
  return () => {
    opened ??= openNow().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

/**
 * Throws `cause` itself if it is a TfxioError, otherwise wraps it in a UserFunctionError.
 * @param what The caller's function, in words.
 */
function failed(what: string, cause: unknown): never {
  if (isTfxioError(cause)) throw cause;
  const message = `fromRandomAccess: ${what} failed: ${String(cause)}`;
  throw new UserFunctionError(message, { operator: "fromRandomAccess", cause });
}

function hasSchema(batch: unknown): boolean {
  return Array.isArray(membersOf(membersOf(batch)["schema"])["fields"]);
}

function otherRows(batch: RecordBatch | undefined, numRows: number, expected: number): ArgumentError {
  const found = Number.isNaN(numRows) ? describeValue(batch) : numRows;
  return new ArgumentError(
    "invalid-argument",
    `fromRandomAccess: read must return record batches with as many rows as were requested (${expected}), found ${found}.`,
    { argument: "read" },
  );
}
