import type { Schema } from "@tfxio/schema";
import type { ArgumentError, RecordBlock } from "@tfxio/wire";
import { assertOptions, aUint8Array, invalidArgument, type OptionRules } from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { resolveRequest } from "../guard/check-request.js";
import { overlayOptions } from "../guard/overlay-options.js";
import type { PayloadDecoder, PayloadPlan, PayloadRequest } from "./record-format-parts.js";
import { assertAdvanced } from "./record-feed.js";

// Values are checked as those of any request.
const REQUEST_RULES: OptionRules<RecordsRequest<object>> = {
  columns: null,
  schema: null,
  unlisted: null,
  rawRecordColumn: null,
  options: null,
};

/** What is wanted from records that the caller brings. */
export interface RecordsRequest<Options extends object>
  extends Pick<PayloadRequest, "columns" | "schema" | "rawRecordColumn"> {
  /** What a column outside `schema` means: `"drop"` (default) or `"error"`. */
  readonly unlisted?: "drop" | "error" | undefined;
  /** Overlays the payload's defaults. */
  readonly options?: Partial<Options> | undefined;
}

/** Rows of the records of one call. */
export interface DecodedRecords {
  /** Owns its memory. Of no rows when there were no records. */
  readonly batch: RecordBatch;
  /** Position in the call's list of the record behind each row. Absent: row `i` is record `i`. */
  readonly recordIndices?: Int32Array | undefined;
  /** Records left out by a skip policy. */
  readonly numSkipped: number;
}

/** Decodes records from Beam, a queue or a database: whoever brings them does the framing. */
export interface RecordsDecoder {
  /** Schema of every batch; absent when batches describe themselves. */
  readonly arrowSchema?: ArrowSchema | undefined;
  /** See {@link ReadPlan.schema}. */
  readonly schema?: Schema | undefined;
  /**
   * One batch of these records, which are borrowed for the call. After an error the decoder is usable.
   * @throws {RecordError} `malformed-payload`, {@link SchemaError} `schema-mismatch`; `recordIndex` counts in the list,
   * `byteOffset` from the start of the record. {@link ArgumentError} `invalid-argument` (`record-type`).
   */
  decode(records: readonly Uint8Array[]): DecodedRecords;
}

/**
 * A decoder of records of `payload`.
 * @throws {ArgumentError} `invalid-argument`; {@link UnsupportedError} `unsupported` (`undeclared-request`) for raw
 * records that the payload does not give; {@link SchemaError} when the schema cannot be decoded to.
 */
export async function decodeRecords<Options extends object>(
  payload: PayloadDecoder<Options>,
  request: RecordsRequest<Options> = {},
): Promise<RecordsDecoder> {
  assertOptions("decodeRecords", request, REQUEST_RULES);
  const { options: given, ...asked } = request;
  const {
    columns,
    schema,
    rawRecordColumn,
    unlisted = "drop",
  } = resolveRequest("decodeRecords", asked, {
    id: payload.id,
    reads: payload.reads ?? {},
  });
  const options = overlayOptions(payload.defaults, given, payload.id);
  payload.assertOptions?.(options, "read");
  const plan = await payload.plan({ columns, schema, rawRecordColumn, unlisted }, options);
  const { arrowSchema, schema: own } = plan;
  return { arrowSchema, schema: own, decode: (records) => decodeAll(plan, records) };
}

function decodeAll(plan: PayloadPlan, records: readonly Uint8Array[]): DecodedRecords {
  if (!Array.isArray(records)) throw recordTypeError("a list of Uint8Arrays", records);
  const session = plan.createSession();
  const recordIndices: number[] = [];
  const block: RecordBlock & { bytes: Uint8Array; firstRecordIndex: number } = {
    uri: "records",
    bytes: new Uint8Array(0),
    numRecords: 1,
    starts: new Uint32Array(1),
    ends: new Uint32Array(1),
    firstRecordIndex: 0,
    byteOffset: 0,
  };
  const limits = { maxRows: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
  for (const [index, record] of records.entries()) {
    if (!aUint8Array.holds(record)) throw recordTypeError(aUint8Array.expected, record, `[${index}]`);
    const { numRows } = session;
    block.bytes = record;
    block.ends[0] = record.length;
    block.firstRecordIndex = index;
    assertAdvanced(session.push(block, 0, limits), session, block.uri);
    for (let row = numRows; row < session.numRows; row++) recordIndices.push(index);
  }
  const isOneToOne = recordIndices.length === records.length && recordIndices.every((at, row) => at === row);
  const { numSkipped } = session;
  const batch = session.finish();
  return { batch, numSkipped, ...(!isOneToOne && { recordIndices: Int32Array.from(recordIndices) }) };
}

function recordTypeError(expected: string, found: unknown, at?: string): ArgumentError {
  return invalidArgument("records", expected, found, { at, reason: "record-type" });
}
