import type { BatchLimits, FramedOptions, PushProgress } from "../record-block.js";

/** The three value kinds of a tf.Example feature, as numbers of `tensorflow.Feature`'s oneof fields. */
export const FeatureKind = { unset: 0, bytes: 1, float: 2, int64: 3 } as const;
/** @see {@link FeatureKind} */
export type FeatureKind = (typeof FeatureKind)[keyof typeof FeatureKind];

/** One column that a decoder shall fill. */
export interface ExampleColumnPlan {
  /** Feature name. */
  readonly name: string;
  /** The kind that every present value must have. */
  readonly kind: Exclude<FeatureKind, 0>;
}

/** What a decoder makes of a record, by the conventions of tfx_bsl's `ExamplesToRecordBatchDecoder`. */
export interface ExamplePlan {
  /** Columns in output order, names distinct. Absent: columns are discovered, sorted by the bytes of their names. */
  readonly columns?: readonly ExampleColumnPlan[] | undefined;
  /**
   * With `columns`: what a feature of another name means. Default `"drop"`. A feature without kind is dropped
   * either way: it has no value that could be lost. Dropped features must be well-formed all the same.
   */
  readonly unlisted?: "drop" | "error" | undefined;
  /** Names that are dropped even when `unlisted` is `"error"`, and in discovery: a projection's other features. */
  readonly ignored?: readonly string[] | undefined;
  /** Without `columns`: keep only these names (projection without a schema). */
  readonly only?: readonly string[] | undefined;
  /** Keep each record's own bytes as well, see {@link ExampleBatch.rawRecords}. Default false. */
  readonly keepRawRecords?: boolean | undefined;
  /** `"skip"` leaves out records whose payload is malformed and counts them. Default `"error"`. */
  readonly onMalformed?: "error" | "skip" | undefined;
  /**
   * Stops at an Example with a field 2, the feature lists of a SequenceExample, with {@link KernelStatus} `featureLists`,
   * also where malformed records are skipped. Default false: to an Example the field is unknown, and ignored.
   */
  readonly refusesFeatureLists?: boolean | undefined;
  /**
   * Most columns that one batch may discover, features and feature lists together; with `unlisted: "error"` also the most
   * entries of one batch whose names are not listed. Beyond it the kernel stops with {@link KernelStatus}
   * `tooManyColumns`, also where malformed records are skipped. At most 2^32 - 1. Default 100,000.
   */
  readonly maxColumns?: number | undefined;
}

/** What of a plan concerns features, or feature lists. */
export type ColumnsPlan = Pick<ExamplePlan, "columns" | "unlisted" | "ignored" | "only">;

/** What a decoder shall make of a tf.SequenceExample: the plan itself is about the features of its context. */
export interface SequenceExamplePlan extends ExamplePlan {
  /** The same about its feature lists, whose names are apart from those of the context. */
  readonly featureLists: ColumnsPlan;
}

/**
 * Why a kernel stopped. Kernels never throw on bad input: the layer above turns a status into a coded error.
 * `ok` is 0; the others are stable numbers shared by the wasm and TypeScript twins.
 */
export const KernelStatus = {
  ok: 0,
  /** The record's payload is not a well-formed message. */
  malformedPayload: 1,
  /** A listed feature holds another kind than planned, or two records disagree during discovery. */
  wrongKind: 2,
  /** A feature is not in the plan and `unlisted` is `"error"`. */
  unlistedFeature: 3,
  /** The masked CRC32C of a record's length does not match. */
  lengthCrc: 4,
  /** The masked CRC32C of a record's payload does not match. */
  dataCrc: 5,
  /** A record's declared length is above the limit. */
  recordTooLong: 6,
  /** A column of the batch would pass 2^31 - 1 values or bytes, or memory for it was refused. */
  batchTooLarge: 7,
  /** A record planned as an Example has feature lists, see {@link ExamplePlan.refusesFeatureLists}. */
  featureLists: 8,
  /** The batch has, or the record names, more columns than {@link ExamplePlan.maxColumns}. */
  tooManyColumns: 9,
} as const;
/** @see {@link KernelStatus} */
export type KernelStatus = (typeof KernelStatus)[keyof typeof KernelStatus];

/** The result of one push: how far the kernel came, and why it stopped if not at the end. */
export interface PushResult extends PushProgress {
  readonly status: KernelStatus;
  /**
   * On an error: offset in the pushed bytes of the field, varint or length that is wrong, of the map entry on
   * `wrongKind` and `unlistedFeature`, and of the frame on the frame's own errors. -1 without an error.
   */
  readonly errorOffset: number;
  /** On `wrongKind` and `unlistedFeature`: the feature's name. */
  readonly featureName?: string | undefined;
  /** On `wrongKind`: what was expected and what was found. */
  readonly expectedKind?: FeatureKind | undefined;
  readonly actualKind?: FeatureKind | undefined;
  /** On `wrongKind` and `unlistedFeature`: the name is that of a feature list. Absent for features. */
  readonly isFeatureList?: true | undefined;
}

/** Buffers of one decoded column, Arrow layout. Owned by the receiver; each starts 64-byte aligned. */
export interface ColumnBuffers {
  readonly name: string;
  /** `unset`: the name occurred, but never with a kind (discovery only); such a column has no buffers. */
  readonly kind: FeatureKind;
  readonly nullCount: number;
  /** LSB-first bitmap, 1 = present; absent when `nullCount` is 0. */
  readonly validity?: Uint8Array | undefined;
  /** Row splits, int32, length numRows + 1, first 0. Empty for kind `unset`. */
  readonly offsets: Int32Array;
  /** float: Float32Array; int64: BigInt64Array; bytes: the concatenated bytes. A view of the length used. */
  readonly values: Float32Array | BigInt64Array | Uint8Array;
  /** bytes only: splits of `values`, length numValues + 1, first 0. */
  readonly valueOffsets?: Int32Array | undefined;
}

/** One decoded batch. */
export interface ExampleBatch {
  readonly numRows: number;
  readonly columns: readonly ColumnBuffers[];
  /** The serialized record of every row, present with `keepRawRecords`. */
  readonly rawRecords?: { readonly valueOffsets: Int32Array; readonly values: Uint8Array } | undefined;
  /** Records left out of this batch by `onMalformed: "skip"`. */
  readonly numSkipped: number;
}

/** Buffers of one decoded feature list: a list of steps in each row, which are a list of values each. */
export interface FeatureListBuffers {
  readonly name: string;
  /** Rows without this list. */
  readonly nullCount: number;
  /** LSB-first bitmap, 1 = present; absent when `nullCount` is 0. */
  readonly validity?: Uint8Array | undefined;
  /** Row splits of the steps, int32, length numRows + 1, first 0. */
  readonly offsets: Int32Array;
  /**
   * The steps of all rows, one after the other, like a column with a row for each: null is a step without kind. Kind
   * `unset` when no step of the batch has one (discovery only).
   */
  readonly steps: ColumnBuffers;
}

/** One decoded batch of tf.SequenceExamples; `columns` are those of the context. */
export interface SequenceExampleBatch extends ExampleBatch {
  /**
   * Feature lists in the plan's order or that of their names' bytes. Absent when none is planned, and in discovery
   * when no record has a `feature_lists` message; empty when that never names a list.
   */
  readonly featureLists?: readonly FeatureListBuffers[] | undefined;
}

/** A batch over memory that is lent: its buffers are views that nobody may look at after `release`. */
export interface Leased<Batch> {
  readonly batch: Batch;
  /** Ends the lease: the memory serves other batches. Safe to call twice. */
  release(this: void): void;
}

/**
 * Decodes tf.Examples into the columns of one batch after the other. Stateful, not shared between readers.
 * After an error status the batch in the making is discarded and the kernel is ready for the next.
 */
export interface ExampleKernel {
  /** Rows in the batch so far. */
  readonly numRows: number;
  /** Bytes of the values, offsets and bitmaps of the batch so far: what the batch size limit goes by. */
  readonly numBytes: number;
  /** Records left out so far by `onMalformed: "skip"`, over all batches. */
  readonly numSkipped: number;
  /** Appends records given by their bounds, until `maxRows` rows are in the batch or the batch reaches `maxBytes`. */
  pushRecords(
    bytes: Uint8Array,
    starts: Uint32Array,
    ends: Uint32Array,
    from: number,
    to: number,
    limits: BatchLimits,
  ): PushResult;
  /**
   * Appends TFRecord-framed records from `bytes[start..end)`: framing, both CRCs and parsing in one pass.
   * Stops before a record that is not complete; that is no error here, the caller knows whether more bytes follow.
   */
  pushTfRecords(
    bytes: Uint8Array,
    start: number,
    end: number,
    limits: BatchLimits,
    options: FramedOptions,
  ): PushResult;
  /** Hands out the batch and starts an empty one. Zero rows give a batch of zero rows. */
  finish(): ExampleBatch;
  /**
   * {@link finish}, but the buffers are views of the kernel's memory, which is not used before the release, and then
   * detaches them if it can: a view that outlives its lease has no elements. Absent: this kernel has no such memory.
   */
  finishLeased?(): Leased<ExampleBatch>;
  /** Drops the batch in the making. */
  reset(): void;
}

/** An {@link ExampleKernel} for tf.SequenceExamples. */
export interface SequenceExampleKernel extends ExampleKernel {
  finish(): SequenceExampleBatch;
  finishLeased?(): Leased<SequenceExampleBatch>;
}

/** Bounds of the complete TFRecords found by {@link Kernels.scanTfRecords}. */
export interface ScanResult extends PushResult {
  /** Payload bounds, as in RecordBlock. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** The hot loops of the project: bytes in, typed arrays and status codes out. */
export interface Kernels {
  readonly name: "wasm" | "typescript";
  /** CRC-32C (Castagnoli, RFC 3720) of `bytes[start..end)`, unmasked, as an unsigned number. */
  crc32c(bytes: Uint8Array, start?: number, end?: number): number;
  /** Finds the complete TFRecords in `bytes[start..end)`, at most `maxRecords`. */
  scanTfRecords(
    bytes: Uint8Array,
    start: number,
    end: number,
    maxRecords: number,
    options: FramedOptions,
  ): ScanResult;
  exampleDecoder(plan: ExamplePlan): ExampleKernel;
  sequenceExampleDecoder(plan: SequenceExamplePlan): SequenceExampleKernel;
}
