import { type PlainRow, plainRows } from "@tfxio/arrow-encoding";
import type { Dataset } from "@tfxio/dataset";
import type { ReadPlan } from "@tfxio/format";
import type { ColumnPath, Schema, TensorRepresentation } from "@tfxio/schema";
import {
  type AdapterFactory,
  type HostColumns,
  TensorAdapter,
  type TensorAdapterConfig,
  type TypeSpec,
} from "@tfxio/tensor-adapter";
import { cancellable, linkSignals, SchemaError } from "@tfxio/wire";
import type { Schema as ArrowSchema, RecordBatch } from "apache-arrow";
import { aListOfNames, anAbortSignal, aName, assertArgument, assertOptions } from "@tfxio/wire/checks";
import { datasetOf } from "./dataset.js";
import { rememberDescription } from "./description/described-tfxios.js";
import type { ReadDescription } from "./description/read-description.js";
import type { BatchLease } from "./leases/batch-lease.js";
import { leasedBatchesOf } from "./leases/leased-batches.js";
import { assertBatchesApart, RECORD_BATCHES_RULES, resolveReadOptions } from "./options.js";
import { ownAdapter } from "./own-adapter.js";
import { distinct, projectArrowSchema, projectRepresentations, sourceColumns } from "./projection.js";
import { assertPlannable, assertProjectable, type CallerData } from "./records/caller-data.js";
import { addedColumns, type DataRequest } from "./reading/data-request.js";
import { sampledRequests, type SplitOptions } from "./reading/sampled-requests.js";
import { type PlannedRead, recordBatchesOf } from "./record-batches.js";
import type {
  CountRowsOptions,
  DatasetElement,
  DatasetOptions,
  LeasedBatchesOptions,
  RawRecordsOptions,
  RecordBatchesOptions,
  SplitTfxios,
  Tfxio,
} from "./tfxio.js";

/** Opened data, shared by a TFXIO and its projections and splits. */
export interface DataSource {
  /** Prepares a read of the requested data. A request that is not planned yet is planned when the plan is first needed. */
  plan(request: DataRequest): PlannedRead;
  /**
   * Describes the read of the requested data as JSON. @throws {UnsupportedError} `unsupported` if another process cannot repeat
   * it.
   */
  describe(request: DataRequest): ReadDescription;
  /** Paths and URLs of the sources. */
  readonly origins: readonly string[];
  /** True if the format supports row positions. */
  readonly hasRowPositions: boolean;
  /** Kind of data that the caller passes in. Absent if the data comes from sources. */
  readonly callerData?: CallerData | undefined;
  /** Frees the reader's resources. Safe to call twice. */
  close(): Promise<void>;
}

/** The components of a {@link Tfxio}. */
export interface ReaderTfxioParts<Columns extends HostColumns> {
  readonly source: DataSource;
  readonly request: DataRequest;
  /** The planned read of `request`. */
  readonly planned: PlannedRead;
  readonly schema: Schema | undefined;
  readonly arrowSchema: ArrowSchema | undefined;
  /**
   * Computes the representation of each tensor. Called only when first needed, because it may throw: even a valid schema may
   * hold invalid representations.
   */
  readonly representations: () => ReadonlyMap<string, TensorRepresentation>;
  /** Creates the adapter. Undefined: a plain adapter for the representations. */
  readonly adapter: AdapterFactory<Columns> | undefined;
  /** Returns the type specs before any projection. Undefined if this TFXIO is not a projection. */
  readonly originalTypeSpecs: (() => ReadonlyMap<string, TypeSpec>) | undefined;
}

/**
 * Checks the option `by` of `split`: the top-level column that it names must exist. Without a schema, the column can be checked
 * only while reading.
 * @throws {SchemaError} `schema-mismatch` (`unknown-column`) if neither the schema nor the data has the column.
 */
function assertSplitColumn(
  { schema, arrowSchema }: Pick<ReaderTfxioParts<HostColumns>, "schema" | "arrowSchema">,
  { sample }: DataRequest,
): void {
  const column = sample?.by?.steps[0];
  if (column === undefined || schema === undefined) return;
  // Look in both schemas: a projection removes columns from the Arrow schema, and a table may have columns that the TFMD schema
  // does not list.
  const isKnown =
    schema.feature.some(({ name }) => name === column) ||
    arrowSchema?.fields.some(({ name }) => name === column);
  if (isKnown === true) return;
  throw new SchemaError("schema-mismatch", `The option "by" names "${column}", an unknown column.`, {
    reason: "unknown-column",
    columnPath: column,
  });
}

export function readerTfxio<Columns extends HostColumns>(parts: ReaderTfxioParts<Columns>): Tfxio<Columns> {
  const { source, request, planned } = parts;
  let representations: ReadonlyMap<string, TensorRepresentation> | undefined;
  let adapter: TensorAdapter<Columns> | undefined;

  const required = <T>(value: T | undefined): T => {
    if (value !== undefined) return value;
    throw new SchemaError(
      "schema-required",
      "Without a schema, batches may have different columns: open with a schema or with inferSchema.",
    );
  };
  const withRequest = (
    other: DataRequest,
    changes: Partial<ReaderTfxioParts<Columns>> = {},
  ): Tfxio<Columns> => readerTfxio({ ...parts, request: other, planned: source.plan(other), ...changes });

  const tfxio: Tfxio<Columns> = {
    schema: () => required(parts.schema),
    arrowSchema: () => required(parts.arrowSchema),
    tensorRepresentations() {
      required(parts.schema);
      representations ??= parts.representations();
      return representations;
    },
    tensorAdapterConfig(): TensorAdapterConfig {
      const config = {
        arrowSchema: tfxio.arrowSchema(),
        tensorRepresentations: tfxio.tensorRepresentations(),
      };
      return parts.originalTypeSpecs ? { ...config, originalTypeSpecs: parts.originalTypeSpecs() } : config;
    },
    tensorAdapter() {
      const config = tfxio.tensorAdapterConfig();
      adapter ??= parts.adapter ? ownAdapter(parts.adapter, config) : new TensorAdapter<Columns>(config);
      return adapter;
    },
    recordBatches(options: RecordBatchesOptions = {}): AsyncIterable<RecordBatch> {
      assertOptions("recordBatches", options, RECORD_BATCHES_RULES);
      if (parts.arrowSchema === undefined) assertBatchesApart(options);
      const checked = resolveReadOptions(options);
      return recordBatchesOf(planned, parts.arrowSchema, checked);
    },
    leasedBatches(options: LeasedBatchesOptions = {}): AsyncIterable<BatchLease> {
      const { numEpochs, readerNumThreads, workers, sloppyOrdering, signal, onProgress } =
        RECORD_BATCHES_RULES;
      const rules = { numEpochs, readerNumThreads, workers, sloppyOrdering, signal, onProgress };
      assertOptions("leasedBatches", options, rules);
      const reading = { ...options, workers: options.workers ?? 0 };
      const checked = resolveReadOptions(reading);
      return {
        [Symbol.asyncIterator]: () =>
          cancellable(async function* (leaving) {
            const link = linkSignals(leaving, checked.signal);
            try {
              yield* leasedBatchesOf(planned, { ...checked, signal: link.signal });
            } finally {
              link.unlink();
            }
          }),
      };
    },
    rawRecords(options: RawRecordsOptions = {}): AsyncIterable<RecordBatch> {
      assertOptions("rawRecords", options, { columnName: aName, signal: anAbortSignal });
      const columnName = options.columnName ?? request.rawRecordColumn ?? "raw_record";
      const { rowPositionColumn: _, ...rest } = request;
      const records = source.plan({ ...rest, columns: [], rawRecordColumn: columnName });
      const checked = resolveReadOptions({ signal: options.signal, workers: 0 });
      return recordBatchesOf(records, undefined, checked);
    },
    rows(options: RecordBatchesOptions = {}): AsyncIterable<PlainRow> {
      // Check the options now, so that this call throws, not the first `next()`.
      tfxio.recordBatches(options);
      return {
        [Symbol.asyncIterator]: () =>
          cancellable(async function* (leaving) {
            const link = linkSignals(leaving, options.signal);
            try {
              const reading = { ...options, signal: link.signal };
              for await (const batch of tfxio.recordBatches(reading)) yield* plainRows(batch);
            } finally {
              link.unlink();
            }
          }),
      };
    },
    async countRows(options: CountRowsOptions = {}): Promise<number> {
      const { signal, onProgress } = RECORD_BATCHES_RULES;
      assertOptions("countRows", options, { signal, onProgress });
      options.signal?.throwIfAborted();
      if (planned.rowCount.known !== undefined) return planned.rowCount.known;
      // Request no columns, unless the data is a dataset that the caller passed in: it always produces all of its columns.
      const { rawRecordColumn: _raw, rowPositionColumn: _position, ...rest } = request;
      const read = source.callerData === "datasets" ? planned : source.plan({ ...rest, columns: [] });
      let numRows = 0;
      const checked = resolveReadOptions({ ...options, workers: 0 });
      for await (const batch of recordBatchesOf(read, undefined, checked)) numRows += batch.numRows;
      planned.rowCount.learn(numRows);
      return numRows;
    },
    dataset(options: DatasetOptions = {}): Dataset<DatasetElement> {
      // With a custom adapter, the tensor value of a row may depend on other rows of its batch.
      const rows = { arrowSchema: tfxio.arrowSchema(), independentRows: parts.adapter === undefined };
      return datasetOf(tfxio.tensorAdapter(), rows, planned, options);
    },
    project<Name extends keyof Columns & string>(tensorNames: readonly Name[]): Tfxio<Pick<Columns, Name>> {
      assertProjectable(source.callerData);
      assertArgument("tensorNames", tensorNames, aListOfNames);
      // A custom adapter may have tensors without a representation.
      const own = parts.adapter === undefined ? undefined : tfxio.tensorAdapter();
      const all = tfxio.tensorRepresentations();
      const described = own === undefined ? tensorNames : tensorNames.filter((name) => all.has(name));
      const projected = projectRepresentations(all, described);
      const columns: readonly ColumnPath[] =
        own === undefined
          ? sourceColumns(projected)
          : distinct(tensorNames.flatMap((name) => own.sourceColumns(name)));
      const arrowSchema = projectArrowSchema(tfxio.arrowSchema(), columns, addedColumns(request));
      return withRequest(
        { ...request, columns },
        {
          arrowSchema,
          adapter: own && (() => own.project(tensorNames, arrowSchema) as never),
          representations: () => projected,
          originalTypeSpecs: parts.originalTypeSpecs ?? (() => tfxio.tensorAdapter().typeSpecs()),
        },
      );
    },
    split(options: SplitOptions): SplitTfxios<Tfxio<Columns>> & { readonly test: Tfxio<Columns> } {
      const { train, validation, test } = sampledRequests(request, options, source.hasRowPositions);
      assertSplitColumn(parts, train);
      const two = { train: withRequest(train), validation: withRequest(validation) };
      // Without the option `test`, the result must have no member `test`.
      return { ...two, ...(test && { test: withRequest(test) }) } as typeof two & { test: Tfxio<Columns> };
    },
    async plan(): Promise<ReadPlan> {
      assertPlannable(source.callerData);
      return planned.plan();
    },
    close: () => source.close(),
  };
  rememberDescription(tfxio, { describe: () => source.describe(request), origins: source.origins });
  return tfxio;
}
