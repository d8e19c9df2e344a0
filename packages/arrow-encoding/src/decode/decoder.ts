import type { BatchLimits, FramedOptions, FramedWindow, PushProgress, RecordBlock } from "@tfxio/wire";
import type { Leased } from "@tfxio/wire/kernels";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/**
 * A decoder of tf.Examples or tf.SequenceExamples into record batches. Push records, then finish the batch.
 *
 * A cell is null if the record lacks the feature or the feature has no value list. It is `[]` if the value list is empty. int64
 * values are exact, float32 values keep their bits, and bytes need not be text. Parsing follows protobuf's rules, including
 * merges and unknown fields. A map key that is not UTF-8 makes a record malformed. A batch owns its memory, unless it is leased.
 * After an error in the data, the unfinished batch is discarded, and the decoder is ready for the next batch.
 * @see tfx_bsl `ExamplesToRecordBatchDecoder`, `SequenceExamplesToRecordBatchDecoder`
 */
export interface ExampleDecoder {
  /** Returns the schema of every batch. @throws {SchemaError} `schema-required` for a decoder without a schema. */
  arrowSchema(): ArrowSchema;
  /** Number of rows in the unfinished batch. */
  readonly numRows: number;
  /** Total number of records skipped by `onMalformed: "skip"`, over all batches. */
  readonly numSkipped: number;
  /**
   * Decodes `records` into one batch, in order.
   * @throws {RecordError} As {@link push}, but `byteOffset` counts from the start of the record. Also as {@link finish}.
   * @throws {SchemaError} As {@link push} and {@link finish}.
   * @throws {ArgumentError} `invalid-argument` (`unfinished-batch`) if pushed records have not been finished. Also as {@link
   *   finish}.
   */
  decode(records: readonly Uint8Array[]): RecordBatch;
  /**
   * Appends records of a block, starting at record `from`, until the batch is full or the block ends.
   * @throws {RecordError} `malformed-payload`, or `limit-exceeded` (`batch-too-large`, `column-count`).
   * @throws {SchemaError} `schema-mismatch` (`wrong-kind`) if the kind of a feature, even one without values, differs from the
   *   kind of its column. `schema-mismatch` (`unlisted-feature`) with `unlisted: "error"`.
   * @throws {ArgumentError} `invalid-argument` (`record-bounds`) if a record lies outside the bytes of the block.
   */
  push(block: RecordBlock, from: number, limits: BatchLimits): PushProgress;
  /** Ids of the framings that {@link pushFramed} accepts. */
  readonly framings: readonly ["tfrecord"];
  /**
   * Appends TFRecords, starting at byte `from` of a window, until the batch is full or no complete record is left. Reads
   * framing, checksums and payloads in one pass. The caller must handle an incomplete record at the end.
   * @throws {RecordError} As {@link push}, or `corrupt-record` (`length-crc`, `payload-crc`), or `limit-exceeded`
   *   (`record-length`).
   * @throws {SchemaError} As {@link push}.
   */
  pushFramed(window: FramedWindow, from: number, limits: BatchLimits, options: FramedOptions): PushProgress;
  /**
   * Returns the unfinished batch and starts an empty one. If no records were pushed, the returned batch has no rows.
   * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`, `sequence-column-collision`) if a feature in the data
   *   has the name of the raw record column or of the sequence column.
   * @throws {SchemaError} `schema-mismatch` (`list-length`) with `listType: "fixed"` if a list's length differs from the
   *   schema.
   * @throws {RecordError} `limit-exceeded` (`batch-too-large`) if the batch does not fit in memory, or if null fixed-size
   *   lists expand a column to 2^31 values or more.
   */
  finish(): RecordBatch;
  /**
   * Works like {@link finish} but avoids a copy: the batch may borrow kernel memory until `release()` of the result is called.
   * From then on, views of the batch have no elements, or show a later batch if threads share the memory. If the kernels cannot
   * lease memory, the batch owns its memory. Throws the errors of {@link finish}.
   */
  finishLeased(): Leased<RecordBatch>;
}
