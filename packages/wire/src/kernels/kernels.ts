import type { FrameBounds } from "./frame-bounds.js";
import type { BatchLimits, FramedOptions, PushProgress } from "../record-block.js";

/** Kinds of values of a tf.Example feature. The numbers are the field numbers in `tensorflow.Feature`'s oneof. */
export const FeatureKind = { unset: 0, bytes: 1, float: 2, int64: 3 } as const;
/** One of the values of {@link FeatureKind}. */
export type FeatureKind = (typeof FeatureKind)[keyof typeof FeatureKind];

/** One column to decode. */
export interface ExampleColumnPlan {
  readonly name: string;
  /** Kind that every value must have. A record may lack the feature, or have it without a kind. */
  readonly kind: Exclude<FeatureKind, 0>;
}

/** Plan of a tf.Example decoder. Conventions follow tfx_bsl's `ExamplesToRecordBatchDecoder`. */
export interface ExamplePlan {
  /** Columns in output order, with distinct names. If absent, columns are discovered and sorted by the bytes of their names. */
  readonly columns?: readonly ExampleColumnPlan[] | undefined;
  /**
   * Treatment of features that `columns` does not list. Default `"drop"`. Unlisted features without a kind are always dropped,
   * because they have no value that could be lost. Dropped features must still be well-formed.
   */
  readonly unlisted?: "drop" | "error" | undefined;
  /** Names of features that are always dropped, even if `unlisted` is `"error"` or `columns` is absent. Used for projections. */
  readonly ignored?: readonly string[] | undefined;
  /** Names of the only features to keep if `columns` is absent. Used for a projection without a schema. */
  readonly only?: readonly string[] | undefined;
  /** True to keep the bytes of each record as well: see {@link ExampleBatch.rawRecords}. Default false. */
  readonly keepRawRecords?: boolean | undefined;
  /** `"skip"` leaves out records with malformed payloads and counts these records. Default `"error"`. */
  readonly onMalformed?: "error" | "skip" | undefined;
  /**
   * True to stop with {@link KernelStatus} `featureLists` at an Example that has field 2, even if malformed records are skipped.
   * In a SequenceExample, field 2 holds the feature lists. By default, an Example's field 2 is ignored like any unknown field.
   */
  readonly rejectsFeatureLists?: boolean | undefined;
  /**
   * Maximum number of columns that one batch may discover, features and feature lists together. With `unlisted: "error"`, it also
   * limits the unlisted entries of one batch. Above the limit, the kernel stops with {@link KernelStatus} `tooManyColumns`, even
   * if malformed records are skipped. At most 2^32 - 1. Default 100,000.
   */
  readonly maxColumns?: number | undefined;
}

/** The column-selection part of an {@link ExamplePlan}, shared by features and feature lists. */
export type ColumnsPlan = Pick<ExamplePlan, "columns" | "unlisted" | "ignored" | "only">;

/** Plan of a tf.SequenceExample decoder. The inherited selection of columns applies to the context. */
export interface SequenceExamplePlan extends ExamplePlan {
  /** Selection of the feature lists. Their names are independent of the names in the context. */
  readonly featureLists: ColumnsPlan;
}

/**
 * Status of a push or scan: `ok`, or the reason why the kernel stopped at an error. Kernels never throw on bad input. Their
 * caller converts the status to an error of this project. The wasm and TypeScript implementations share these numbers, which
 * never change.
 */
export const KernelStatus = {
  ok: 0,
  /** The record's payload is not a well-formed message. */
  malformedPayload: 1,
  /** The kind of a feature or step is not the planned kind or, in discovery, differs from an earlier kind in the batch. */
  wrongKind: 2,
  /** A feature or feature list is not in the plan, and `unlisted` is `"error"`. */
  unlistedFeature: 3,
  /** The masked CRC-32C of a record's length does not match. */
  lengthCrc: 4,
  /** The masked CRC-32C of a record's payload does not match. */
  dataCrc: 5,
  /** A record's declared length exceeds the limit, or is 4 GiB or more. */
  recordTooLong: 6,
  /**
   * A column of the batch would exceed 2^31 - 1 values or bytes, a feature list would have too many steps, or memory could not be
   * allocated.
   */
  batchTooLarge: 7,
  /** A record planned as an Example has feature lists; see {@link ExamplePlan.rejectsFeatureLists}. */
  featureLists: 8,
  /** The batch has more discovered columns, or unlisted entries, than {@link ExamplePlan.maxColumns}. */
  tooManyColumns: 9,
} as const;
/** One of the values of {@link KernelStatus}. */
export type KernelStatus = (typeof KernelStatus)[keyof typeof KernelStatus];

/** Result of one push: how many records the kernel took and, if it stopped at an error, the details of the error. */
export interface PushResult extends PushProgress {
  readonly status: KernelStatus;
  /**
   * Offset of the error in the pushed bytes, or -1 if there is no error. For a malformed payload, it is the start of the invalid
   * tag, length, value or character. For `wrongKind`, `unlistedFeature` and `tooManyColumns`, it is the start of the map entry.
   * For framing errors, it is the start of the frame.
   */
  readonly errorOffset: number;
  /** Name of the feature or feature list. Present for `wrongKind` and `unlistedFeature`. */
  readonly featureName?: string | undefined;
  /** Present for `wrongKind`. */
  readonly expectedKind?: FeatureKind | undefined;
  /** Present for `wrongKind` and `unlistedFeature`. */
  readonly actualKind?: FeatureKind | undefined;
  /** True if `featureName` is the name of a feature list. Absent for features. */
  readonly isFeatureList?: true | undefined;
}

/**
 * Buffers of one decoded column in Arrow layout. Each starts at a byte offset that is a multiple of 64. The receiver owns the
 * buffers, unless the batch is {@link Leased}.
 */
export interface ColumnBuffers {
  readonly name: string;
  /**
   * `unset` means that the name occurred, but never with a kind. The column's buffers are then empty. Only a plan without
   * `columns` leads to such a column.
   */
  readonly kind: FeatureKind;
  readonly nullCount: number;
  /** LSB-first bitmap, 1 = present; absent when `nullCount` is 0. */
  readonly validity?: Uint8Array | undefined;
  /** Row splits, int32, length numRows + 1, first 0. Empty for kind `unset`. */
  readonly offsets: Int32Array;
  /**
   * Float32Array for float, BigInt64Array for int64, the concatenated bytes for bytes. Holds only the column's values, possibly
   * as a view of a larger buffer.
   */
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
  /** Number of rows without this list. */
  readonly nullCount: number;
  /** LSB-first bitmap, 1 = present; absent when `nullCount` is 0. */
  readonly validity?: Uint8Array | undefined;
  /** Row splits of the steps, int32, length numRows + 1, first 0. */
  readonly offsets: Int32Array;
  /**
   * The steps of all rows, concatenated, as a column with one row per step. A null marks a step without a kind. The column's kind
   * is `unset` if no step has a kind and the plan does not name the feature list.
   */
  readonly steps: ColumnBuffers;
}

/** One decoded batch of tf.SequenceExamples. `columns` holds the context. */
export interface SequenceExampleBatch extends ExampleBatch {
  /**
   * Feature lists in the order of the plan's `featureLists.columns`. Absent if `featureLists.columns` is empty. If the plan
   * has no `featureLists.columns`, the feature lists are sorted by the bytes of their names. This property is then absent if no
   * record has a `feature_lists` message, and an empty array if some record has the message, but none has a selected list.
   */
  readonly featureLists?: readonly FeatureListBuffers[] | undefined;
}

/** A batch over borrowed memory. Its buffers are views that must not be read after `release`. */
export interface Leased<Batch> {
  readonly batch: Batch;
  /** Ends the lease, after which other batches may reuse the memory. Safe to call twice. */
  release(this: void): void;
}

/**
 * Decodes tf.Examples into columns, batch by batch. A kernel has state, so readers must not share it. After an error status, the
 * unfinished batch is discarded, and the kernel is ready for the next batch.
 */
export interface ExampleKernel {
  /** Number of rows in the batch so far. */
  readonly numRows: number;
  /** Size of the batch so far in bytes of values, offsets and bitmaps. {@link BatchLimits.maxBytes} applies to this number. */
  readonly numBytes: number;
  /** Number of records that `onMalformed: "skip"` has left out so far, in all batches. */
  readonly numSkipped: number;
  /** Appends the records `from` to `to` (exclusive) of a block, until the batch has `maxRows` rows or reaches `maxBytes`. */
  pushRecords(
    bytes: Uint8Array,
    starts: Uint32Array,
    ends: Uint32Array,
    from: number,
    to: number,
    limits: BatchLimits,
  ): PushResult;
  /**
   * Appends TFRecord-framed records from `bytes[start..end)`. Checks the frames according to `options` and decodes the records in
   * one pass. Stops before an incomplete record. This is not an error, since only the caller knows whether more bytes
   * follow.
   */
  pushTfRecords(
    bytes: Uint8Array,
    start: number,
    end: number,
    limits: BatchLimits,
    options: FramedOptions,
  ): PushResult;
  /**
   * Returns the batch, which may have zero rows, and starts an empty one. Throws a RangeError if memory for the batch cannot be
   * allocated. The caller must then call {@link reset}.
   */
  finish(): ExampleBatch;
  /**
   * Like {@link finish}, but the buffers are views of the kernel's memory, which is not reused before the lease ends. `release`
   * detaches the views if possible, so that a view that outlives its lease has no elements. Absent if the kernel cannot lease
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
  /** Start (inclusive) and end (exclusive) of each payload. Views of the bounds that were passed, or of new memory. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Hot loops over the bytes of records. */
export interface Kernels {
  readonly name: "wasm" | "typescript";
  /** Returns the CRC-32C (Castagnoli, RFC 3720) of `bytes[start..end)`, unmasked, as an unsigned number. */
  crc32c(bytes: Uint8Array, start?: number, end?: number): number;
  /**
   * Finds up to `maxRecords` complete TFRecords in `bytes[start..end)`.
   * @param bounds Memory for `starts` and `ends`, which are then views of it. Its earlier bounds are dropped. Default: new
   *   memory.
   */
  scanTfRecords(
    bytes: Uint8Array,
    start: number,
    end: number,
    maxRecords: number,
    options: FramedOptions,
    bounds?: FrameBounds,
  ): ScanResult;
  exampleDecoder(plan: ExamplePlan): ExampleKernel;
  sequenceExampleDecoder(plan: SequenceExamplePlan): SequenceExampleKernel;
}
