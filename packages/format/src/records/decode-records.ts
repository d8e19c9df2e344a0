import type { Schema } from "@tfxio/schema";
import type { ArgumentError, RecordBlock } from "@tfxio/wire";
import {
  assertArgument,
  assertOptions,
  aUint8Array,
  invalidArgument,
  type OptionRules,
} from "@tfxio/wire/checks";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { resolveRequest } from "../guard/check-request.js";
import { overlayLimits, overlayOptions } from "../guard/overlay-options.js";
import type { Limits } from "../limits.js";
import { packedBlocks } from "./packed-blocks.js";
import { aPayload } from "./part-rules.js";
import type { PayloadDecoder, PayloadPlan, PayloadRequest } from "./record-format-parts.js";
import { assertAdvanced } from "./record-feed.js";

/** The URI that errors report for the caller's records. */
const URI = "records";

// `resolveRequest`, `overlayOptions` and `overlayLimits` check the values.
const REQUEST_RULES: OptionRules<RecordsRequest<object>> = {
  columns: null,
  schema: null,
  unlisted: null,
  rawRecordColumn: null,
  options: null,
  limits: null,
};

/** A request to decode the caller's records. */
export interface RecordsRequest<Options extends object>
  extends Pick<PayloadRequest, "columns" | "schema" | "rawRecordColumn"> {
  /** Treatment of columns outside `schema`: `"drop"` (default) or `"error"`. */
  readonly unlisted?: "drop" | "error" | undefined;
  /** Options of the payload. Missing keys take their values from the payload's defaults. */
  readonly options?: Partial<Options> | undefined;
  /** Limits that differ from the default limits. Only `maxColumns` has an effect, because the other limits apply to files. */
  readonly limits?: Partial<Limits> | undefined;
}

/** Result of {@link RecordsDecoder.decode}. */
export interface DecodedRecords {
  /** A batch that owns its memory. It has no rows if no record yields one. */
  readonly batch: RecordBatch;
  /** For each row, the index of its record in the list passed to `decode`. Absent if each row `i` comes from record `i`. */
  readonly recordIndices?: Int32Array | undefined;
  /** Number of records skipped because an option of the payload allows it. */
  readonly numSkipped: number;
}

/** A decoder of records from Beam, a queue or a database. The caller must remove the framing of the records. */
export interface RecordsDecoder {
  /** Schema of every batch; absent if batches describe themselves. */
  readonly arrowSchema?: ArrowSchema | undefined;
  /** See {@link ReadPlan.schema}. */
  readonly schema?: Schema | undefined;
  /**
   * Decodes `records` to one batch. The records are borrowed only during the call. The decoder stays usable after an error. In an
   * error, `recordIndex` is an index in `records`, and `byteOffset` counts from the start of the record.
   * @throws {RecordError} `malformed-payload`, `limit-exceeded`.
   * @throws {SchemaError} `schema-mismatch`.
   * @throws {ArgumentError} `invalid-argument` (`record-type`) unless `records` is a list of Uint8Arrays.
   */
  decode(records: readonly Uint8Array[]): DecodedRecords;
}

/**
 * Creates a decoder of records that have the encoding `payload`.
 * @throws {ArgumentError} `invalid-argument` for an invalid request.
 * @throws {UnsupportedError} `unsupported` (`undeclared-request`) for raw records if the payload does not provide them.
 * @throws {SchemaError} if records cannot be decoded to the schema.
 */
export async function decodeRecords<Options extends object>(
  payload: PayloadDecoder<Options>,
  request: RecordsRequest<Options> = {},
): Promise<RecordsDecoder> {
  assertArgument("payload", payload, aPayload, "decodeRecords");
  assertOptions("decodeRecords", request, REQUEST_RULES);
  const { options: given, limits: givenLimits, ...asked } = request;
  const {
    columns,
    schema,
    rawRecordColumn,
    unlisted = "drop",
  } = resolveRequest("decodeRecords", asked, {
    id: payload.id,
    reads: payload.reads ?? {},
  });
  const limits = overlayLimits(givenLimits);
  const options = overlayOptions(payload.defaults, given, payload.id);
  payload.assertOptions?.(options, "read");
  const plan = await payload.plan({ columns, schema, rawRecordColumn, unlisted, limits }, options);
  const { arrowSchema, schema: own } = plan;
  return { arrowSchema, schema: own, decode: (records) => decodeAll(plan, records) };
}

const NO_LIMITS = { maxRows: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

/**
 * Decodes all records together if possible. Decodes them one by one instead if some may be skipped, or if decoding them together
 * fails or yields more or fewer rows than there are records.
 */
function decodeAll(plan: PayloadPlan, records: readonly Uint8Array[]): DecodedRecords {
  if (!Array.isArray(records)) throw recordTypeError("a list of Uint8Arrays", records);
  for (const [index, record] of records.entries()) {
    // `holds` takes as long as decoding a short record, so `instanceof` is tried first.
    if (record instanceof Uint8Array || aUint8Array.holds(record)) continue;
    throw recordTypeError(aUint8Array.expected, record, `[${index}]`);
  }
  if (plan.skipsRecords === true) return decodeOneByOne(plan, records);
  return decodeTogether(plan, records) ?? decodeOneByOne(plan, records);
}

/**
 * Decodes all records together. Returns undefined if that fails or if the numbers of rows and records differ, so that the caller
 * decodes each record separately.
 */
function decodeTogether(plan: PayloadPlan, records: readonly Uint8Array[]): DecodedRecords | undefined {
  const session = plan.createSession();
  try {
    for (const block of packedBlocks(records, URI)) {
      for (let from = 0; from < block.numRecords; ) {
        const progress = session.push(block, from, NO_LIMITS);
        assertAdvanced(progress, session, URI);
        from += progress.consumed;
      }
    }
    if (session.numRows !== records.length || session.numSkipped > 0) return undefined;
    return { batch: session.finish(), numSkipped: 0 };
  } catch {
    // The offset in this error counts from the start of a block. Decoding one by one fails again, with an offset within the
    // record.
    return undefined;
  }
}

/** Decodes each record separately, which shows how many rows each record yields. */
function decodeOneByOne(plan: PayloadPlan, records: readonly Uint8Array[]): DecodedRecords {
  const session = plan.createSession();
  const recordIndices: number[] = [];
  const block: RecordBlock & { bytes: Uint8Array; firstRecordIndex: number } = {
    uri: URI,
    bytes: new Uint8Array(0),
    numRecords: 1,
    starts: new Uint32Array(1),
    ends: new Uint32Array(1),
    firstRecordIndex: 0,
    byteOffset: 0,
  };
  for (const [index, record] of records.entries()) {
    const { numRows } = session;
    block.bytes = record;
    block.ends[0] = record.length;
    block.firstRecordIndex = index;
    assertAdvanced(session.push(block, 0, NO_LIMITS), session, block.uri);
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
