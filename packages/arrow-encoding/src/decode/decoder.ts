import type { BatchLimits, FramedOptions, FramedWindow, PushProgress, RecordBlock } from "@tfxio/wire";
import type { Leased } from "@tfxio/wire/kernels";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/**
 * Decodes tf.Examples or tf.SequenceExamples into record batches. Push records, then finish the batch.
 *
 * A cell is null if the record lacks the feature or the feature has no value list; it is `[]` if the list is empty. int64 is
 * exact, float32 keeps its bits, and bytes are not checked to be text. Parsing follows protobuf's rules, including merges and
 * unknown fields; a map key that is not UTF-8 makes a record malformed. A batch owns its memory. After an error the unfinished
 * batch is discarded, and the decoder is ready for the next one.
 * @see tfx_bsl `ExamplesToRecordBatchDecoder`, `SequenceExamplesToRecordBatchDecoder`
 */
export interface ExampleDecoder {
  /** Schema of every batch. @throws {SchemaError} `schema-required` for a decoder without a schema. */
  arrowSchema(): ArrowSchema;
  /** Rows in the unfinished batch. */
  readonly numRows: number;
  /** Total number of records skipped by `onMalformed: "skip"`, over all batches. */
  readonly numSkipped: number;
  /**
   * Decodes these records to one batch, in order.
   * @throws the errors of {@link push}, with `byteOffset` counted from the start of the record; {@link ArgumentError}
   *   `invalid-argument` (`unfinished-batch`) if pushed records have not been finished.
   */
  decode(records: readonly Uint8Array[]): RecordBatch;
  /**
   * Appends records of a block, starting at record `from`, until the batch is full.
   * @throws {RecordError} `malformed-payload`; `limit-exceeded` (`batch-too-large`).
   * @throws {SchemaError} `schema-mismatch`: `wrong-kind` when the kind of a feature, even an empty one, differs from its column;
   *   `unlisted-feature`.
   */
  push(block: RecordBlock, from: number, limits: BatchLimits): PushProgress;
  /** Ids of the framings that {@link pushFramed} accepts. */
  readonly framings: readonly ["tfrecord"];
  /**
   * Appends TFRecords, starting at byte `from` of a window, until the batch is full or no complete record is left. Handles
   * framing, checksums and parsing in one pass. The caller must handle an incomplete record at the end.
   * @throws the errors of {@link push}; {@link RecordError} `corrupt-record` (`length-crc`, `payload-crc`), `limit-exceeded`
   *   (`record-length`).
   */
  pushFramed(window: FramedWindow, from: number, limits: BatchLimits, options: FramedOptions): PushProgress;
  /**
   * Returns the batch and starts an empty one. Without a push it has no rows.
   * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`, `sequence-column-collision`) when a feature in the data
   *   has the same name as that column.
   * @throws {SchemaError} `schema-mismatch` (`list-length`) with `listType: "fixed"` when a list's length differs from the
   *   schema.
   * @throws {RecordError} `limit-exceeded` (`batch-too-large`) when the batch does not fit in memory, or when null fixed-size
   *   lists expand a column to 2^31 values.
   */
  finish(): RecordBatch;
  /**
   * Like {@link finish}, but saves a copy: the batch may borrow kernel memory, which is reused after the release. Views that
   * outlive the release have no elements. If the kernels cannot lease memory, the batch owns its memory.
   * @throws like {@link finish}.
   */
  finishLeased(): Leased<RecordBatch>;
}
