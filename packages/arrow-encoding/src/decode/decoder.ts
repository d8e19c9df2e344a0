import type { BatchLimits, FramedOptions, FramedWindow, PushProgress, RecordBlock } from "@tfxio/wire";
import type { Leased } from "@tfxio/wire/kernels";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/**
 * Decodes tf.Examples or tf.SequenceExamples into record batches. Push records in, and finish batches.
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
  /** Records that `onMalformed: "skip"` has left out so far, over all batches. */
  readonly numSkipped: number;
  /**
   * One batch of these records, in order.
   * @throws the errors of {@link push}, with `byteOffset` counted from the start of the record; {@link ArgumentError}
   *   `invalid-argument` (`unfinished-batch`) between a push and its finish.
   */
  decode(records: readonly Uint8Array[]): RecordBatch;
  /**
   * Appends records of a block, starting at record `from`, until the batch is full.
   * @throws {RecordError} `malformed-payload`; `limit-exceeded` (`batch-too-large`).
   * @throws {SchemaError} `schema-mismatch`: `wrong-kind` when a feature has another kind than its column, even without values;
   *   `unlisted-feature`.
   */
  push(block: RecordBlock, from: number, limits: BatchLimits): PushProgress;
  /** Ids of the framings that {@link pushFramed} accepts. */
  readonly framings: readonly ["tfrecord"];
  /**
   * Appends TFRecords, starting at byte `from` of a window, until the batch is full or no complete record is left: framing,
   * checksums and parsing in one pass. The caller must handle an incomplete record at the end.
   * @throws the errors of {@link push}; {@link RecordError} `corrupt-record` (`length-crc`, `payload-crc`), `limit-exceeded`
   *   (`record-length`).
   */
  pushFramed(window: FramedWindow, from: number, limits: BatchLimits, options: FramedOptions): PushProgress;
  /**
   * Returns the batch and starts an empty one. Without a push it has no rows.
   * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`, `sequence-column-collision`) when a feature in the data
   *   has the name of that column.
   * @throws {SchemaError} `schema-mismatch` (`list-length`) with `listType: "fixed"` when the length of a list differs from the
   *   schema.
   * @throws {RecordError} `limit-exceeded` (`batch-too-large`) when memory for the batch is refused, or when null fixed-size
   *   lists expand a column to 2^31 values.
   */
  finish(): RecordBatch;
  /**
   * Like {@link finish}, but the batch may borrow memory of the kernels, which they reuse after the release. This saves a copy.
   * Views that outlive the release have no elements. If the kernels do not lease memory, the batch owns its memory.
   * @throws like {@link finish}.
   */
  finishLeased(): Leased<RecordBatch>;
}
