import type { Dataset } from "@tfxio/dataset";
import type { Reader, ReadRequest } from "@tfxio/format";
import type { ColumnPath, Schema, TensorRepresentation } from "@tfxio/schema";
import {
  type AdapterFactory,
  type HostColumns,
  TensorAdapter,
  type TensorAdapterConfig,
  type TypeSpec,
} from "@tfxio/tensor-adapter";
import { leavable, linkSignals, SchemaError } from "@tfxio/wire";
import type { Schema as ArrowSchema, RecordBatch } from "apache-arrow";
import { datasetOf } from "./dataset.js";
import { assertArgument, assertKnownOptions, invalidArgument } from "./check-argument.js";
import type { BatchLease } from "./batch-lease.js";
import { leasedBatchesOf } from "./leased-batches.js";
import {
  type CheckedRecordBatchesOptions,
  checkRecordBatchesOptions,
  LEASED_BATCHES_OPTIONS,
  RECORD_BATCHES_OPTIONS,
} from "./options.js";
import { ownAdapter } from "./own-adapter.js";
import { distinct, projectArrowSchema, projectRepresentations, sourceColumns } from "./projection.js";
import { type PlannedRead, recordBatchesOf } from "./record-batches.js";
import type {
  DatasetElement,
  DatasetOptions,
  LeasedBatchesOptions,
  RawRecordsOptions,
  RecordBatchesOptions,
  Tfxio,
} from "./tfxio.js";

/** What a {@link Tfxio} over a format's reader is made of. */
export interface ReaderTfxioParts<Columns extends HostColumns> extends PlannedRead {
  readonly reader: Reader;
  readonly schema: Schema | undefined;
  readonly arrowSchema: ArrowSchema | undefined;
  /** Called when first asked for: a schema may decode well and still have no valid representations. */
  readonly representations: () => ReadonlyMap<string, TensorRepresentation>;
  readonly rawRecordColumn: string | undefined;
  /** Makes the adapter in place of one of the representations alone. */
  readonly adapter: AdapterFactory<Columns> | undefined;
  /** Type specs before any projection. */
  readonly originalTypeSpecs: (() => ReadonlyMap<string, TypeSpec>) | undefined;
}

/** A TFXIO composed of a reader, a schema, the adapter and the dataset engine. */
export function readerTfxio<Columns extends HostColumns>(parts: ReaderTfxioParts<Columns>): Tfxio<Columns> {
  const { reader, access, rawRecordColumn } = parts;
  let representations: ReadonlyMap<string, TensorRepresentation> | undefined;
  let adapter: TensorAdapter<Columns> | undefined;

  const required = <T>(value: T | undefined): T => {
    if (value !== undefined) return value;
    throw new SchemaError(
      "schema-required",
      "without a schema, batches describe themselves and may differ: open with a schema or with inferSchema",
    );
  };

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
      assertKnownOptions(options, RECORD_BATCHES_OPTIONS, "recordBatches");
      const checked = checkRecordBatchesOptions(options, parts.arrowSchema !== undefined);
      return leavableItems(checked, (own) => recordBatchesOf(parts, own, 0));
    },
    leasedBatches(options: LeasedBatchesOptions = {}): AsyncIterable<BatchLease> {
      assertKnownOptions(options, LEASED_BATCHES_OPTIONS, "leasedBatches");
      const reading = { ...options, workers: options.workers ?? 0 };
      const checked = checkRecordBatchesOptions(reading, parts.arrowSchema !== undefined);
      return leavableItems(checked, (own) => leasedBatchesOf(parts, own));
    },
    rawRecords(options: RawRecordsOptions = {}): AsyncIterable<RecordBatch> {
      assertKnownOptions(options, ["columnName", "signal"], "rawRecords");
      const columnName = options.columnName ?? rawRecordColumn ?? "raw_record";
      assertArgument("columnName", columnName, "string");
      const request: ReadRequest = { ...parts.request, columns: [], rawRecordColumn: columnName };
      const checked = checkRecordBatchesOptions({ signal: options.signal, workers: 0 }, false);
      const planned = { plan: () => reader.plan(request), request, access };
      return leavableItems(checked, (own) => recordBatchesOf(planned, own, 0));
    },
    dataset(options: DatasetOptions = {}): Dataset<DatasetElement> {
      return datasetOf(
        tfxio.tensorAdapter(),
        (checked, pass) => recordBatchesOf(parts, checked, pass),
        options,
      );
    },
    project<Name extends keyof Columns & string>(tensorNames: readonly Name[]): Tfxio<Pick<Columns, Name>> {
      if (tensorNames === undefined) throw invalidArgument("tensorNames", "must be a list of names");
      assertArgument("tensorNames", tensorNames, "names");
      // An adapter of the caller's own may have tensors that no representation describes.
      const own = parts.adapter === undefined ? undefined : tfxio.tensorAdapter();
      const all = tfxio.tensorRepresentations();
      const described = own === undefined ? tensorNames : tensorNames.filter((name) => all.has(name));
      const projected = projectRepresentations(all, described);
      const columns: readonly ColumnPath[] =
        own === undefined
          ? sourceColumns(projected)
          : distinct(tensorNames.flatMap((name) => own.sourceColumns(name)));
      const arrowSchema = projectArrowSchema(tfxio.arrowSchema(), columns, rawRecordColumn);
      const request: ReadRequest = { ...parts.request, columns };
      return readerTfxio({
        ...parts,
        plan: once(() => reader.plan(request)),
        request,
        arrowSchema,
        adapter: own && (() => own.project(tensorNames, arrowSchema)),
        representations: () => projected,
        originalTypeSpecs: parts.originalTypeSpecs ?? (() => tfxio.tensorAdapter().typeSpecs()),
      });
    },
    close: () => reader.close(),
  };
  return tfxio;
}

/** Reads anew for each iterator, which can be left at any time. */
function leavableItems<Item>(
  options: CheckedRecordBatchesOptions,
  read: (options: CheckedRecordBatchesOptions) => AsyncGenerator<Item, void, undefined>,
): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]: () =>
      leavable(async function* (leaving) {
        const link = linkSignals(leaving, options.signal);
        try {
          yield* read({ ...options, signal: link.signal });
        } finally {
          link.unlink();
        }
      }),
  };
}

/** Calls `make` at the first call, and again only if that failed. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
