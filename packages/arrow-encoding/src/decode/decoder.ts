import type { BatchLimits, FramedOptions, FramedWindow, PushProgress, RecordBlock } from "@tfxio/wire";
import type { Leased } from "@tfxio/wire/kernels";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";

/**
 * Decodes tf.Examples, or tf.SequenceExamples, into one record batch after the other: pushes in, batches out.
 *
 * In a cell, null means that the record lacks the feature or has it without a value list, and `[]` that its list is
 * empty. int64 is exact, float32 is kept bit for bit, bytes are not checked to be text. Records are parsed by
 * protobuf's rules, merges and unknown fields included; a map key that is not UTF-8 makes a record malformed.
 * A batch owns its memory. After an error the batch in the making is dropped, and the decoder is ready for the next.
 * @see tfx_bsl `ExamplesToRecordBatchDecoder`, `SequenceExamplesToRecordBatchDecoder`
 */
export interface ExampleDecoder {
  /** Schema of every batch. @throws {SchemaError} `schema-required` for a decoder without schema. */
  arrowSchema(): ArrowSchema;
  /** Rows in the batch in the making. */
  readonly numRows: number;
  /** Records that `onMalformed: "skip"` has left out so far, over all batches. */
  readonly numSkipped: number;
  /**
   * One batch of these records, in order.
   * @throws the errors of {@link push}, whose `byteOffset` then counts from the start of the record;
   * {@link ArgumentError} `invalid-argument` (`unfinished-batch`) between a push and its finish.
   */
  decode(records: readonly Uint8Array[]): RecordBatch;
  /**
   * Takes records of a block from record `from` on, until the batch is full.
   * @throws {RecordError} `malformed-payload`; `limit-exceeded` (`batch-too-large`).
   * @throws {SchemaError} `schema-mismatch`: `wrong-kind` for a feature that holds another kind than its column,
   * even without values; `unlisted-feature`.
   */
  push(block: RecordBlock, from: number, limits: BatchLimits): PushProgress;
  /** Framings whose windows {@link pushFramed} takes, by id. */
  readonly framings: readonly ["tfrecord"];
  /**
   * Takes TFRecords from byte `from` of a window on, until the batch is full or no whole record is left: framing,
   * checksums and parsing in one pass. What is left of an incomplete record is the caller's to judge.
   * @throws the errors of {@link push}; {@link RecordError} `corrupt-record` (`length-crc`, `payload-crc`),
   * `limit-exceeded` (`record-length`).
   */
  pushFramed(window: FramedWindow, from: number, limits: BatchLimits, options: FramedOptions): PushProgress;
  /**
   * Hands out the batch, of no rows if nothing was pushed, and starts an empty one.
   * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`, `sequence-column-collision`) when the data has
   * a feature of the name of that column.
   * @throws {SchemaError} `schema-mismatch` (`list-length`) with `listType: "fixed"` when a list is not as long as the
   * schema says.
   * @throws {RecordError} `limit-exceeded` (`batch-too-large`) when memory for the batch is refused, or null lists of a
   * fixed size bring a column to 2^31 values.
   */
  finish(): RecordBatch;
  /**
   * {@link finish}, but the batch may lie in memory of the kernels, which serves other batches after the release. Spares
   * a copy; views that outlive the release have no elements. Where kernels lend nothing the batch owns its memory.
   * @throws as {@link finish}.
   */
  finishLeased(): Leased<RecordBatch>;
}
