import type { BatchLimits, FramedOptions, PushProgress } from "../record-block.js";

/** The value kinds of a tf.Example feature. The numbers are the field numbers in `tensorflow.Feature`'s oneof. */
export const FeatureKind = { unset: 0, bytes: 1, float: 2, int64: 3 } as const;
/** @see {@link FeatureKind} */
export type FeatureKind = (typeof FeatureKind)[keyof typeof FeatureKind];

/** One column to decode. */
export interface ExampleColumnPlan {
  /** Feature name. */
  readonly name: string;
  /** The kind that every present value must have. */
  readonly kind: Exclude<FeatureKind, 0>;
}

/** Plan of a tf.Example decoder. Conventions follow tfx_bsl's `ExamplesToRecordBatchDecoder`. */
export interface ExamplePlan {
  /** Columns in output order, with distinct names. If absent, columns are discovered and sorted by the bytes of their names. */
  readonly columns?: readonly ExampleColumnPlan[] | undefined;
  /**
   * Treatment of features that `columns` does not list. Default `"drop"`. Features without a kind are always dropped, because
   * they have no value that could be lost. Dropped features must still be well-formed.
   */
  readonly unlisted?: "drop" | "error" | undefined;
  /** Names that are dropped in discovery, and even if `unlisted` is `"error"`: the features that a projection leaves out. */
  readonly ignored?: readonly string[] | undefined;
  /** Without `columns`: keep only these names (projection without a schema). */
  readonly only?: readonly string[] | undefined;
  /** Keep the bytes of each record too, see {@link ExampleBatch.rawRecords}. Default false. */
  readonly keepRawRecords?: boolean | undefined;
  /** `"skip"` leaves out records whose payload is malformed and counts them. Default `"error"`. */
  readonly onMalformed?: "error" | "skip" | undefined;
  /**
   * Stop with {@link KernelStatus} `featureLists` at an Example with field 2, the feature lists of a SequenceExample, even if
   * malformed records are skipped. Default false: field 2 is unknown to Example and is ignored.
   */
  readonly refusesFeatureLists?: boolean | undefined;
  /**
   * Maximum number of columns that one batch may discover, features and feature lists together. With `unlisted: "error"`, it also
   * limits the unlisted entries of one batch. Beyond it the kernel stops with {@link KernelStatus} `tooManyColumns`, even if
   * malformed records are skipped. At most 2^32 - 1. Default 100,000.
   */
  readonly maxColumns?: number | undefined;
}

/** The column-selection part of an {@link ExamplePlan}, shared by features and feature lists. */
export type ColumnsPlan = Pick<ExamplePlan, "columns" | "unlisted" | "ignored" | "only">;

/** Plan of a tf.SequenceExample decoder. The inherited fields select the features of its context. */
export interface SequenceExamplePlan extends ExamplePlan {
  /** Selection of the feature lists. Their names are independent of the names in the context. */
  readonly featureLists: ColumnsPlan;
}

/**
 * The reason why a kernel stopped. Kernels never throw on bad input: their caller turns the status into a coded error. `ok` is 0;
 * the others are stable numbers that the wasm and TypeScript implementations share.
 */
export const KernelStatus = {
  ok: 0,
  /** The record's payload is not a well-formed message. */
  malformedPayload: 1,
  /** A listed feature has another kind than planned, or two discovered records disagree. */
  wrongKind: 2,
  /** A feature is not in the plan and `unlisted` is `"error"`. */
  unlistedFeature: 3,
  /** The masked CRC32C of a record's length does not match. */
  lengthCrc: 4,
  /** The masked CRC32C of a record's payload does not match. */
  dataCrc: 5,
  /** A record's declared length exceeds the limit. */
  recordTooLong: 6,
  /** A column of the batch would exceed 2^31 - 1 values or bytes, or memory for it was refused. */
  batchTooLarge: 7,
  /** A record planned as an Example has feature lists; see {@link ExamplePlan.refusesFeatureLists}. */
  featureLists: 8,
  /** The batch or one of its records has more columns than {@link ExamplePlan.maxColumns}. */
  tooManyColumns: 9,
} as const;
/** @see {@link KernelStatus} */
export type KernelStatus = (typeof KernelStatus)[keyof typeof KernelStatus];

/** Result of one push: how many records the kernel took, and why it stopped early. */
export interface PushResult extends PushProgress {
  readonly status: KernelStatus;
  /**
   * Offset of an error in the pushed bytes, -1 without an error. It points at the invalid field, varint or length; on `wrongKind`
   * and `unlistedFeature` at the map entry; on framing errors at the frame.
   */
  readonly errorOffset: number;
  /** On `wrongKind` and `unlistedFeature`: the feature's name. */
  readonly featureName?: string | undefined;
  /** On `wrongKind`: the expected and the actual kind. */
  readonly expectedKind?: FeatureKind | undefined;
  readonly actualKind?: FeatureKind | undefined;
  /** True on `wrongKind` and `unlistedFeature` if the name belongs to a feature list. Absent for features. */
  readonly isFeatureList?: true | undefined;
}

/** Buffers of one decoded column in Arrow layout. The receiver owns them; each starts 64-byte aligned. */
export interface ColumnBuffers {
  readonly name: string;
  /** `unset` (discovery only): the name occurred, but never with a kind. Such a column has no buffers. */
  readonly kind: FeatureKind;
  readonly nullCount: number;
  /** LSB-first bitmap, 1 = present; absent when `nullCount` is 0. */
  readonly validity?: Uint8Array | undefined;
  /** Row splits, int32, length numRows + 1, first 0. Empty for kind `unset`. */
  readonly offsets: Int32Array;
  /** Float32Array for float, BigInt64Array for int64, the concatenated bytes for bytes. A view of the used length. */
  readonly values: Float32Array | BigInt64Array | Uint8Array;
  /** Splits of `values`, for bytes only: length numValues + 1, first 0. */
  readonly valueOffsets?: Int32Array | undefined;
}

/** One decoded batch. */
export interface ExampleBatch {
  readonly numRows: number;
  readonly columns: readonly ColumnBuffers[];
  /** The serialized record of every row. Present with `keepRawRecords`. */
  readonly rawRecords?: { readonly valueOffsets: Int32Array; readonly values: Uint8Array } | undefined;
  /** Records left out of this batch by `onMalformed: "skip"`. */
  readonly numSkipped: number;
}

/** Buffers of one decoded feature list: each row is a list of steps, and each step a list of values. */
export interface FeatureListBuffers {
  readonly name: string;
  /** Rows without this list. */
  readonly nullCount: number;
  /** LSB-first bitmap, 1 = present; absent when `nullCount` is 0. */
  readonly validity?: Uint8Array | undefined;
  /** Row splits of the steps, int32, length numRows + 1, first 0. */
  readonly offsets: Int32Array;
  /**
   * The steps of all rows, concatenated, as a column with one row per step. A null marks a step without a kind. The kind is
   * `unset` if no step of the batch has a kind (discovery only).
   */
  readonly steps: ColumnBuffers;
}

/** One decoded batch of tf.SequenceExamples. `columns` holds the context. */
export interface SequenceExampleBatch extends ExampleBatch {
  /**
   * Feature lists in the order of the plan, otherwise sorted by the bytes of their names. Absent if the plan has none and, in
   * discovery, if no record has a `feature_lists` message. Empty if those messages never name a list.
   */
  readonly featureLists?: readonly FeatureListBuffers[] | undefined;
}

/** A batch over borrowed memory. Its buffers are views that must not be read after `release`. */
export interface Leased<Batch> {
  readonly batch: Batch;
  /** Ends the lease: other batches may reuse the memory. Safe to call twice. */
  release(this: void): void;
}

/**
 * Decodes tf.Examples into columns, batch by batch. Stateful; not shared between readers. After an error status the unfinished
 * batch is discarded, and the kernel is ready for the next one.
 */
export interface ExampleKernel {
  /** Rows in the batch so far. */
  readonly numRows: number;
  /** Bytes of values, offsets and bitmaps in the batch so far. The batch size limit applies to this number. */
  readonly numBytes: number;
  /** Records that `onMalformed: "skip"` has left out so far, over all batches. */
  readonly numSkipped: number;
  /** Appends records given by their bounds, until the batch has `maxRows` rows or reaches `maxBytes`. */
  pushRecords(
    bytes: Uint8Array,
    starts: Uint32Array,
    ends: Uint32Array,
    from: number,
    to: number,
    limits: BatchLimits,
  ): PushResult;
  /**
   * Appends TFRecord-framed records from `bytes[start..end)`: framing, both CRCs and parsing in one pass. Stops before an
   * incomplete record without an error, since only the caller knows whether more bytes follow.
   */
  pushTfRecords(
    bytes: Uint8Array,
    start: number,
    end: number,
    limits: BatchLimits,
    options: FramedOptions,
  ): PushResult;
  /** Returns the batch and starts an empty one. An empty batch has zero rows. */
  finish(): ExampleBatch;
  /**
   * Like {@link finish}, but the buffers are views of the kernel's memory, which is not reused before the release. The release
   * detaches the views if possible, so that a view that outlives its lease has no elements. Absent if the kernel has no such
   * memory.
   */
  finishLeased?(): Leased<ExampleBatch>;
  /** Discards the unfinished batch. */
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
