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

/** Maximum delay of `setTimeout` in milliseconds. A longer one would fire at once. */
const MAX_DELAY_MS: number = 2 ** 31 - 1;

/** Options of {@link recordTfxio}. */
export interface RecordTfxioOptions<
  Columns extends HostColumns = HostColumns,
  PayloadOptions extends object = object,
> {
  /**
   * Records as bytes, in order. An iterable is read once; a second pass throws `invalid-argument` (`stream-consumed`). A function
   * is called for each pass. Each record is decoded before the next one is requested, so you may then reuse its memory.
   */
  readonly records: RecordSource;
  /** Decoder for the records, such as `examplePayload`. Columns keep the types that it produces. */
  readonly payload: PayloadDecoder<PayloadOptions>;
  /** Options of the payload, merged over its defaults. */
  readonly payloadOptions?: Partial<PayloadOptions> | undefined;
  /**
   * Types, order and tensor representations of the features. Without a schema, each batch has its own Arrow schema, and there are
   * no tensors.
   */
  readonly schema?: Schema | undefined;
  /** Columns to decode; a string is the name of a top-level column. Default: all. */
  readonly columns?: readonly (string | ColumnPath)[] | undefined;
  /** Rows to keep, as a predicate or its text. Default: all. */
  readonly filter?: Predicate | string | undefined;
  /** Appends a column of this name with each row's record. Not all payloads support it. */
  readonly rawRecordColumn?: string | undefined;
  /** Maximum number of rows of a batch. A batch also ends at about 32 MiB, and after the last record. Default 4096. */
  readonly batchSize?: number | undefined;
  /**
   * Also ends a batch this many milliseconds after its first record arrived, so that rows from a slow queue are not delayed. With
   * 0, every record is a batch. Default: a batch waits for more records.
   */
  readonly flushAfterMs?: number | undefined;
  /** Limits, merged over the defaults. Only `maxColumns` has an effect. */
  readonly limits?: Partial<Limits> | undefined;
  /** Group of the schema's tensor representations. Default: the group "", completed by inferred representations. */
  readonly representationGroup?: string | undefined;
  /** Creates the adapter when it is first needed. Default: a plain adapter for the representations. */
  readonly adapter?: AdapterFactory<Columns> | undefined;
  /** Cancels opening. Reading methods take their own signals. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates a {@link Tfxio} over records that you pass in, for instance from a queue or a database. Nothing is read before the
 * first `next()` of a pass. Leaving the loop, aborting and errors call `return()` on your iterator, even while an item is
 * pending. An error that your iterator throws ends the pass as `user-function`, unless it is a TfxioError.
 *
 * Errors in a record give the URI `records`, the index of the record in the pass, and the byte offset in the record. `plan`,
 * `describeRead` and a numeric `workers` option throw `unsupported`; `"auto"` stays on the calling thread. `split` needs `by`.
 * Schema inference is not available: infer a schema from a file of such records first.
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
