import { emptyBatch, hashColumnRows, matchingRows } from "@tfxio/arrow-encoding";
import {
  type Format,
  isLendingPlan,
  type LendingPlan,
  type LentBatch,
  type Reader,
  type ReadOptions,
  type ReadPlan,
  type ReadProgress,
  type ReadRequest,
  type Split,
} from "@tfxio/format";
import { type ColumnPath, predicateColumns } from "@tfxio/schema";
import { handedOver, itemsOf } from "@tfxio/wire";
import { type RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { createPathFilter, distinct, projectArrowSchema } from "../projection.js";
import { reportProgress } from "../report-progress.js";
import { type BatchTransform, createBatchTransform, type KeptRows } from "./batch-transform.js";
import { type CutBatch, cutBatch, progressWithin } from "./cut-batch.js";
import { createColumnForm } from "./column-form.js";
import { addedColumns, type DataRequest } from "./data-request.js";

/** Reserved names of columns that are read for sampling. They are dropped before a batch is returned to the caller. */
const POSITION_COLUMN = "##tfxio-row-position##";
const SPLIT_COLUMN = "##tfxio-split-index##";

/**
 * Returns a plan that fulfils all of `request`. The format receives the parts that it supports. The remaining parts are applied
 * to the format's batches. The plan yields only matching rows, in the requested form.
 * @throws {UnsupportedError} `unsupported` (`undeclared-request`) for a part of the request that only the format could fulfil, if
 *   the format does not declare it.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`, `predicate-type`) if the filter or the sample names an unknown
 *   column, or compares a column with a value of another type.
 */
export async function composePlan(
  format: Pick<Format, "reads" | "columnForm">,
  reader: Pick<Reader, "plan">,
  request: DataRequest,
  { signal, isSample }: Pick<ReadRequest, "signal" | "isSample"> = {},
): Promise<ReadPlan> {
  const formatPlan = await reader.plan({ ...formatRequest(format, request), signal, isSample });
  const origin = { position: request.rowPositionColumn ?? POSITION_COLUMN, splitIndex: SPLIT_COLUMN };
  const added = new Set([...addedColumns(request), ...Object.values(origin)]);
  const form = createColumnForm(format, request, (name) => added.has(name));
  const isFiltered = formatPlan.filtered === "rows";
  if (formatPlan.arrowSchema !== undefined)
    assertLookedAt(request, emptyBatch(formatPlan.arrowSchema), isFiltered);
  const transform = createBatchTransform(request, {
    splits: formatPlan.splits,
    isFiltered,
    form,
    absent: formatPlan.arrowSchema === undefined ? "null" : "error",
    origin,
  });
  const cutBytes = format.reads.batchBytes === true ? undefined : request.batchBytes;
  const subdivide = formatPlan.subdivide?.bind(formatPlan);
  const plan: ReadPlan = {
    arrowSchema: formatPlan.arrowSchema && composedSchema(request, form.schemaOf(formatPlan.arrowSchema)),
    schema: formatPlan.schema,
    filtered: request.filter === undefined ? "no" : "rows",
    splits: formatPlan.splits,
    ...(subdivide && { subdivide }),
    ...(formatPlan.openRows && {
      openRows: async (split, options) => {
        const rows = await formatPlan.openRows!(split, options);
        return {
          numRows: rows.numRows,
          read: (numbers, reading) =>
            transformedItems(
              () => rows.read(numbers, reading),
              (batch) => transform(batch, split, {}),
            ),
        };
      },
    }),
    read: (split, options = {}) =>
      transformed(formatPlan, split, ownOptions(request, options), { transform, cutBytes }),
  };
  if (!isLendingPlan(formatPlan)) return plan;
  const lending: LendingPlan = {
    ...plan,
    readLeased: (split, options = {}) => lent(formatPlan, split, options, transform),
  };
  return lending;
}

/**
 * Checks the columns of the filter and the sample against an empty batch, before any data is read.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`, `predicate-type`).
 */
function assertLookedAt({ filter, sample }: DataRequest, batch: RecordBatch, isFiltered: boolean): void {
  if (filter !== undefined && !isFiltered) matchingRows(batch, filter);
  if (sample?.by !== undefined) hashColumnRows(batch, sample.by, sample.seed);
}

/** Returns the parts of a request that the format handles. */
function formatRequest({ reads }: Pick<Format, "reads">, request: DataRequest): ReadRequest {
  const { columns, schema, isInferred, unlisted, filter, sample } = request;
  const { rowPositionColumn, batchBytes, splitBytes } = request;
  const needsPosition = sample !== undefined && sample.by === undefined;
  return {
    schema,
    isInferred,
    unlisted,
    batchSize: request.batchSize,
    rawRecordColumn: request.rawRecordColumn,
    columns: columns && withNeededColumns(columns, request),
    rowPositionColumn: rowPositionColumn ?? (needsPosition ? POSITION_COLUMN : undefined),
    ...(reads.filter !== undefined && { filter }),
    ...(reads.columnForm === true && { columnForm: request.columnForm }),
    ...(reads.batchBytes === true && { batchBytes }),
    ...(reads.subdivide === true && { splitBytes }),
  };
}

/** Returns the requested columns, plus the columns that the filter and the sample read. */
function withNeededColumns(
  columns: readonly ColumnPath[],
  { filter, sample }: DataRequest,
): readonly ColumnPath[] {
  const looked = [
    ...(filter === undefined ? [] : predicateColumns(filter)),
    ...(sample?.by ? [sample.by] : []),
  ];
  const isRead = createPathFilter(columns);
  return distinct([...columns, ...looked.filter((path) => !isRead(path))]);
}

/**
 * Adds a split index column to a shuffled read if the sample hashes the URI of each row's file, because a shuffled read may mix
 * rows of several splits.
 */
function ownOptions({ sample }: DataRequest, options: ReadOptions): ReadOptions {
  const { shuffle } = options;
  if (shuffle === undefined || sample === undefined || sample.by !== undefined) return options;
  return { ...options, shuffle: { ...shuffle, splitIndexColumn: shuffle.splitIndexColumn ?? SPLIT_COLUMN } };
}

function composedSchema(request: DataRequest, schema: ArrowSchema): ArrowSchema {
  const { columns } = request;
  if (columns !== undefined) return projectArrowSchema(schema, columns, addedColumns(request));
  if (!schema.names.includes(POSITION_COLUMN)) return schema;
  return new ArrowSchema(
    schema.fields.filter(({ name }) => name !== POSITION_COLUMN),
    schema.metadata,
  );
}

/** The steps that are applied to the batches of a format. */
interface BatchSteps {
  readonly transform: BatchTransform;
  /** Approximate maximum size of a batch in bytes. Undefined without a requested limit, or if the format applies the limit. */
  readonly cutBytes: number | undefined;
}

function transformed(
  plan: ReadPlan,
  split: Split,
  options: ReadOptions,
  { transform, cutBytes }: BatchSteps,
): AsyncIterable<RecordBatch> {
  if (cutBytes !== undefined) return cutUp(plan, split, options, { transform, cutBytes });
  return transformedItems(
    () => plan.read(split, options),
    (batch) => transform(batch, split, options),
  );
}

function transformedItems(
  read: () => AsyncIterable<RecordBatch>,
  transform: (batch: RecordBatch) => KeptRows | undefined,
): AsyncIterable<RecordBatch> {
  const batches = itemsOf(read);
  return handedOver(async () => {
    for (;;) {
      const batch = await batches.next();
      if (batch === undefined) return undefined;
      const rows = transform(batch);
      if (rows !== undefined) return rows.batch;
    }
  }, batches.close);
}

/**
 * Yields batches divided into parts of about `cutBytes`. Progress is reported for every part, so that a read can resume after
 * that part. See {@link progressWithin} for the reported position.
 */
function cutUp(
  plan: ReadPlan,
  split: Split,
  options: ReadOptions,
  { transform, cutBytes }: BatchSteps & { readonly cutBytes: number },
): AsyncIterable<RecordBatch> {
  const { onProgress, from = { row: 0 } } = options;
  let numInBatch = 0;
  let before: ReadProgress = { position: from, numRows: 0, numBytes: 0, numSkipped: 0 };
  let after: ReadProgress | undefined;
  const held = onProgress && { onProgress: (progress: ReadProgress): void => void (after = progress) };
  const batches = itemsOf(() => plan.read(split, { ...options, ...held }));
  const parts: CutBatch[] = [];
  return handedOver(async () => {
    for (;;) {
      const part = parts.shift();
      if (part !== undefined) {
        if (after !== undefined)
          reportProgress(onProgress, progressWithin(before, after, part.numTaken, numInBatch));
        if (parts.length === 0) before = after ?? before;
        return part.batch;
      }
      const batch = await batches.next();
      if (batch === undefined) break;
      numInBatch = batch.numRows;
      const rows = transform(batch, split, options);
      if (rows !== undefined) parts.push(...cutBatch(rows, numInBatch, cutBytes));
      if (parts.length > 0) continue;
      if (after !== undefined) reportProgress(onProgress, after);
      before = after ?? before;
    }
    if (after !== undefined && after !== before) reportProgress(onProgress, after);
    return undefined;
  }, batches.close);
}

/**
 * Yields transformed leased batches. They are not divided, because a lease covers a whole batch. Releases a batch if none of its
 * rows are kept.
 */
async function* lent(
  plan: LendingPlan,
  split: Split,
  options: ReadOptions,
  transform: BatchTransform,
): AsyncGenerator<LentBatch, void, undefined> {
  for await (const { batch, release } of plan.readLeased(split, options)) {
    let rows: KeptRows | undefined;
    try {
      rows = transform(batch, split, options);
    } finally {
      if (rows === undefined) release();
    }
    if (rows !== undefined) yield { batch: rows.batch, release };
  }
}
