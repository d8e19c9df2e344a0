import { defineFormat, type PayloadDecoder } from "@tfxio/format";
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

/** Longest delay of `setTimeout`; a longer one would fire at once. */
const MAX_DELAY_MS: number = 2 ** 31 - 1;

/** Options of {@link recordTfxio}. */
export interface RecordTfxioOptions<
  Columns extends HostColumns = HostColumns,
  PayloadOptions extends object = object,
> {
  /**
   * Records as bytes, in order. An iterable is read once; a second pass is `invalid-argument` (`stream-consumed`). A
   * function is called anew for each pass. A record is decoded before the next one is asked for, and may then be reused.
   */
  readonly records: RecordSource;
  /** What the records hold, such as `examplePayload`. Columns keep the types that it decodes to. */
  readonly payload: PayloadDecoder<PayloadOptions>;
  /** Overlays the payload's defaults. */
  readonly payloadOptions?: Partial<PayloadOptions> | undefined;
  /** Types, order and representations of the data. Without it, batches describe themselves and have no tensors. */
  readonly schema?: Schema | undefined;
  /** Columns to decode; a string is the name of a top-level column. Default: all. */
  readonly columns?: readonly (string | ColumnPath)[] | undefined;
  /** Rows to keep, as a predicate or its text. Default: all. */
  readonly filter?: Predicate | string | undefined;
  /** Appends a column of this name with each row's record. Only for payloads that can. */
  readonly rawRecordColumn?: string | undefined;
  /** Most rows of a batch. A batch also ends at about 32 MiB and with the records. Default 4096. */
  readonly batchSize?: number | undefined;
  /**
   * Also ends a batch this many milliseconds after its first record arrived, so that a slow queue is not held back.
   * 0 makes a batch of every record. Default: a batch waits.
   */
  readonly flushAfterMs?: number | undefined;
  /** Group of the schema's tensor representations. Default: the group "", completed by inferred representations. */
  readonly representationGroup?: string | undefined;
  /** Makes the adapter, when it is first needed. Default: one of the representations alone. */
  readonly adapter?: AdapterFactory<Columns> | undefined;
  /** Cancels opening; reading has signals of its own. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A {@link Tfxio} over records that you bring, from a queue or a database for instance. Nothing is read before the first
 * `next()` of a pass. Leaving the loop, aborting and errors call `return()` on your iterator, also while it is awaited.
 * What it throws ends the pass as `user-function`, unless it is an error of this project.
 *
 * Errors of a record name the uri `records`, the position among the records of the pass, and the byte offset in the
 * record. `plan`, `describeRead` and a number of `workers` are `unsupported`; `"auto"` stays on the calling thread.
 * `split` needs `by`. For a schema, infer one from a file of such records first.
 * @throws {ArgumentError} `invalid-argument`; {@link SchemaError} when schema and `columns` do not agree.
 * @see tfx_bsl `TFExampleBeamRecord`
 */
export async function recordTfxio<
  Columns extends HostColumns = HostColumns,
  PayloadOptions extends object = object,
>(options: RecordTfxioOptions<Columns, PayloadOptions>): Promise<Tfxio<Columns>> {
  assertRecordOptions(options);
  const { payload, payloadOptions, batchSize, flushAfterMs, records: given, ...rest } = options;
  const records = onceOnly(given);
  const format = defineFormat<PayloadOptions>({
    id: `records-${payload.id}`,
    extensions: [],
    defaults: payload.defaults,
    contractVersion: 2,
    columnForm: "lists",
    reads: { rawRecordColumn: payload.reads?.rawRecordColumn },
    open: async (_sources, { options: settled }) => {
      payload.assertOptions?.(settled, "read");
      return {
        async plan(request) {
          const { columns, schema, rawRecordColumn, batchSize: maxRows } = request;
          const wanted = { columns, schema, rawRecordColumn, unlisted: "drop" } as const;
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
  // Formats open sources; an empty one stands for the records.
  const sources = [bytesSource(new Uint8Array(0), RECORDS_URI)];
  const { signal, adapter, representationGroup } = options;
  const reader = await format.open(sources, { options: payloadOptions ?? {}, signal });
  const opened = {
    format,
    sources,
    options: payloadOptions,
    limits: undefined,
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
  const { schema, columns, filter, rawRecordColumn, representationGroup, adapter, signal } = OPEN_RULES;
  assertOptions<RecordTfxioOptions<Columns, PayloadOptions>>("recordTfxio", options, {
    records: required(rule("an iterable of Uint8Arrays, or a function that returns one", isRecordSource)),
    payload: required(aPayload),
    payloadOptions: anObject,
    schema,
    columns,
    filter,
    rawRecordColumn,
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
