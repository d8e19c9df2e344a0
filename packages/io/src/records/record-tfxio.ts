import { defineFormat, type Limits, type PayloadDecoder } from "@tfxio/format";
import type { ColumnPath, Predicate, Schema } from "@tfxio/schema";
import type { AdapterFactory, HostColumns } from "@tfxio/tensor-adapter";
import { bytesSource } from "@tfxio/wire";
import { anObject, aPositiveInteger, assertOptions, membersOf, required, rule } from "@tfxio/wire/checks";
import { assertFilter, OPEN_RULES } from "../open-rules.js";
import { requestOf } from "../open-request.js";
import { tfxioOf } from "../tfxio-of.js";
import type { Tfxio } from "../tfxio.js";
import { batchRecords, RECORDS_URI } from "./record-batcher.js";
import { isRecordSource, onceOnly, type RecordSource } from "./record-source.js";

/** Maximum delay of `setTimeout` in milliseconds. A timer with a longer delay would fire immediately. */
const MAX_DELAY_MS: number = 2 ** 31 - 1;

/** Options of {@link recordTfxio}. */
export interface RecordTfxioOptions<
  Columns extends HostColumns = HostColumns,
  PayloadOptions extends object = object,
> {
  /**
   * Records as bytes, in order. An iterable can be read only once; a second pass throws `invalid-argument` (`stream-consumed`). A
   * function is called for each pass. A record is borrowed until the next one is requested. After that, you may reuse its memory.
   */
  readonly records: RecordSource;
  /** Decoder for the records, such as `examplePayload`. Columns keep the types that the payload produces. */
  readonly payload: PayloadDecoder<PayloadOptions>;
  /** Options of the payload, merged over its defaults. */
  readonly payloadOptions?: Partial<PayloadOptions> | undefined;
  /**
   * Types, order and tensor representations of the features. If neither this option nor the payload provides a schema, batches
   * may have different Arrow schemas, and there are no tensors.
   */
  readonly schema?: Schema | undefined;
  /** Columns to decode; a string is the name of a top-level column. Default: all. */
  readonly columns?: readonly (string | ColumnPath)[] | undefined;
  /** Rows to keep, as a predicate or its text. Default: all. */
  readonly filter?: Predicate | string | undefined;
  /** Appends a column with this name that holds each row's serialized record. Not all payloads support it. */
  readonly rawRecordColumn?: string | undefined;
  /** Maximum number of rows in a batch. A batch also ends at about 32 MiB, and after the last record. Default 4096. */
  readonly batchSize?: number | undefined;
  /**
   * Also ends a batch this many milliseconds after its first record arrived, which limits the delay of rows from a slow queue.
   * With 0, every record becomes a batch. Default: a batch waits for more records.
   */
  readonly flushAfterMs?: number | undefined;
  /** Limits that differ from the default limits. Only `maxColumns` has an effect, because the records are already in memory. */
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Group of the schema's tensor representations. Default: the group "", plus inferred representations for features that this
   * group omits. A named group is used unchanged.
   */
  readonly representationGroup?: string | undefined;
  /** Creates the adapter when it is first needed. Default: a plain adapter for the representations. */
  readonly adapter?: AdapterFactory<Columns> | undefined;
  /** Cancels opening. Reading methods take their own signals. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates a {@link Tfxio} over records that you pass in, for instance from a queue or a database. No record is requested before
 * the first `next()` of a pass. If you stop a pass early, `return()` is called on your iterator, even while an item is pending.
 * The same happens when the signal aborts or decoding fails. If your iterator throws anything but a TfxioError, the pass throws
 * `user-function`; a TfxioError is thrown unchanged.
 *
 * An error in a record names the URI `records`, the index of the record in the pass, and the byte offset within the record.
 * `plan`, `describeRead` and `workers` above 0 throw `unsupported`. With `workers: "auto"`, the calling thread decodes the
 * records. `split` needs `by`. Schemas cannot be inferred from records. To get a schema, open a file of such records with
 * `inferSchema`.
 * @throws {ArgumentError} `invalid-argument`.
 * @throws {SchemaError} when the schema does not match `columns`.
 * @see tfx_bsl `TFExampleBeamRecord`
 */
export async function recordTfxio<
  Columns extends HostColumns = HostColumns,
  PayloadOptions extends object = object,
>(options: RecordTfxioOptions<Columns, PayloadOptions>): Promise<Tfxio<Columns>> {
  assertRecordOptions(options);
  const { payload, payloadOptions, limits, batchSize, flushAfterMs, records: given, ...rest } = options;
  const records = onceOnly(given);
  const format = defineFormat<PayloadOptions>({
    id: `records-${payload.id}`,
    extensions: [],
    defaults: payload.defaults,
    contractVersion: 2,
    columnForm: "lists",
    reads: { rawRecordColumn: payload.reads?.rawRecordColumn },
    open: async (_sources, { options: settled, limits: settledLimits }) => {
      payload.assertOptions?.(settled, "read");
      return {
        async plan(request) {
          const { columns, schema, rawRecordColumn, batchSize: maxRows } = request;
          const wanted = {
            columns,
            schema,
            rawRecordColumn,
            unlisted: "drop",
            limits: settledLimits,
          } as const;
          const plan = await payload.plan(wanted, settled);
          const ends = { batchSize: maxRows, flushAfterMs };
          return {
            arrowSchema: plan.arrowSchema,
            schema: plan.schema,
            splits: [{ index: 0, uri: RECORDS_URI }],
            read: (_split, readOptions = {}) => batchRecords(records, plan, ends, readOptions),
          };
        },
      };
    },
  });
  // A format must open a source, so pass an empty one.
  const sources = [bytesSource(new Uint8Array(0), RECORDS_URI)];
  const { signal, adapter, representationGroup } = options;
  const reader = await format.open(sources, { options: payloadOptions ?? {}, limits, signal });
  const opened = {
    format,
    sources,
    options: payloadOptions,
    limits,
    stores: [],
    representationGroup,
    callerData: "records" as const,
  };
  return tfxioOf({ opened, reader }, { ...requestOf(rest), batchSize }, { adapter, signal });
}

const aPayload = rule("a PayloadDecoder, such as examplePayload", (value) => {
  const { id, defaults, plan } = membersOf(value);
  return typeof id === "string" && typeof defaults === "object" && typeof plan === "function";
});

function assertRecordOptions<Columns extends HostColumns, PayloadOptions extends object>(
  options: RecordTfxioOptions<Columns, PayloadOptions>,
): void {
  const { schema, columns, filter, rawRecordColumn, limits, representationGroup, adapter, signal } =
    OPEN_RULES;
  assertOptions<RecordTfxioOptions<Columns, PayloadOptions>>("recordTfxio", options, {
    records: required(rule("an iterable of Uint8Arrays, or a function that returns one", isRecordSource)),
    payload: required(aPayload),
    payloadOptions: anObject,
    schema,
    columns,
    filter,
    rawRecordColumn,
    limits,
    batchSize: aPositiveInteger,
    flushAfterMs: rule(
      `a number of milliseconds from 0 to ${MAX_DELAY_MS}`,
      (value) => typeof value === "number" && value >= 0 && value <= MAX_DELAY_MS,
    ),
    representationGroup,
    adapter,
    signal,
  });
  assertFilter(options.filter);
}
