import type { Limits } from "@tfxio/format";
import type { Predicate } from "@tfxio/schema";
import { type ByteStore, isTfxioError, openSources, type SourceInput } from "@tfxio/wire";
import { aPositiveInteger, assertOptions, required } from "@tfxio/wire/checks";
import { assertFilter, OPEN_RULES } from "../open-rules.js";
import { requestOf } from "../open-request.js";
import type { OpenedData } from "../description/describe-data.js";
import { tfxioOf } from "../tfxio-of.js";
import type { Tfxio } from "../tfxio.js";
import { recordToTensor, schemaOf } from "./decoder-format.js";
import { aRecordDecoder, type RecordDecoder } from "./record-decoder.js";

/** Options of {@link recordToTensorTfxio}. */
export interface RecordToTensorOptions {
  /**
   * TFRecord files, plain or compressed, given in any form that `openTfxio` accepts, except a single stream. The decoder must
   * support their records.
   */
  readonly sources: SourceInput | readonly SourceInput[];
  readonly decoder: RecordDecoder;
  /** Appends a column with this name that holds the serialized record from which each row was decoded. */
  readonly rawRecordColumn?: string | undefined;
  /** Rows to keep, as a predicate or its text. Default: all. */
  readonly filter?: Predicate | string | undefined;
  /** Maximum number of records that are decoded together. The number of rows may differ. Default 4096. */
  readonly recordsPerBatch?: number | undefined;
  readonly stores?: readonly ByteStore[] | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Cancels opening. Reading methods take their own signals. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens a {@link Tfxio} of TFRecord files whose records a decoder turns into tensors. `createRecordDecoder` of
 * `@tfxio/struct2tensor` creates a decoder from a DataView. After `project`, the decoder of a query neither computes the omitted
 * tensors nor reads their fields. Worker threads and other processes can repeat the read only if the decoder has a method
 * `describe`. A decoder from `createRecordDecoder` can be described if its DataView calls no function of the program. If the
 * DataView calls models, all of their runtimes (`ModelRuntime` of `@tfxio/struct2tensor`) must also share one `url`.
 * @throws {ArgumentError} `invalid-argument`; with reason `duplicate-column` if the raw record column and another column
 *   have the same name.
 * @throws {SourceError} `not-found`, `io-failed`.
 * @see tfx_bsl `TFRecordToTensorTFXIO`
 */
export async function recordToTensorTfxio(options: RecordToTensorOptions): Promise<Tfxio> {
  const { rawRecordColumn, filter, stores: storesRule, limits: limitsRule, signal: signalRule } = OPEN_RULES;
  assertOptions<RecordToTensorOptions>("recordToTensorTfxio", options, {
    sources: null,
    decoder: required(aRecordDecoder),
    rawRecordColumn,
    filter,
    recordsPerBatch: aPositiveInteger,
    stores: storesRule,
    limits: limitsRule,
    signal: signalRule,
  });
  assertFilter(options.filter);
  const { sources: given, decoder, recordsPerBatch = 4096, stores = [], limits, signal } = options;
  const sources = await openSources(given, { signal, stores });
  const repeatable = await describeDecoder(decoder, recordsPerBatch);
  const format = recordToTensor;
  const reader = await format.open(sources, { options: { decoder, recordsPerBatch }, limits, signal });
  const opened = { format, sources, ...repeatable, limits, stores, representationGroup: undefined };
  const request = requestOf({
    schema: schemaOf(decoder),
    filter: options.filter,
    rawRecordColumn: options.rawRecordColumn,
  });
  return tfxioOf({ opened, reader }, request, { signal });
}

/**
 * Returns the format options with which other threads and processes open the same data, or the reason why they cannot open it.
 */
async function describeDecoder(
  decoder: RecordDecoder,
  recordsPerBatch: number,
): Promise<Pick<OpenedData, "options" | "onlyHere">> {
  if (decoder.describe === undefined) {
    return { options: undefined, onlyHere: { problem: "the decoder has no method describe()" } };
  }
  try {
    return { options: { decoder: await decoder.describe(), recordsPerBatch } };
  } catch (cause) {
    if (!isTfxioError(cause, "unsupported")) throw cause;
    return { options: undefined, onlyHere: { problem: "the decoder cannot be described", cause } };
  }
}
