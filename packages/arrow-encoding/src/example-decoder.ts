import type { ColumnPath, Schema } from "@tfxio/schema";
import { ArgumentError, type FramedWindow, type RecordBlock, SchemaError } from "@tfxio/wire";
import {
  type ExampleKernel,
  FeatureKind,
  type FramedOptions,
  type KernelLimits,
  type Kernels,
  KernelStatus,
  kernels as chosenKernels,
} from "@tfxio/wire/kernels";
import { Schema as ArrowSchema, type RecordBatch } from "apache-arrow";
import { type ExampleListType, exampleField } from "./example-arrow-types.js";
import { exampleRecordBatch } from "./example-batch.js";
import { planExampleColumns } from "./example-plan.js";
import { kernelError } from "./kernel-errors.js";

/** Options of {@link createExampleDecoder}. */
export interface ExampleDecoderOptions {
  /**
   * Names, order and types of the columns: `BYTES`, `INT` or `FLOAT` each; of a repeated name the first counts.
   * Absent: each batch has the names that occur in it, in the order of their UTF-8 bytes, each typed by its first
   * value list; a name that occurs without any becomes a column of type Null.
   */
  readonly schema?: Schema | undefined;
  /** Keeps only these columns, in the schema's order; each path is one step. Absent: all. */
  readonly columns?: readonly ColumnPath[] | undefined;
  /** `"large"` gives LargeList and LargeBinary, exactly as tfx_bsl does. Default `"list"`, which JavaScript reads faster. */
  readonly listType?: ExampleListType | undefined;
  /** Appends a column of this name with the serialized record of each row, a list of one. */
  readonly rawRecordColumn?: string | undefined;
  /** What a feature outside the schema means, if it holds a list. Default `"drop"`. Without a schema nothing is. */
  readonly unlisted?: "drop" | "error" | undefined;
  /** `"skip"` leaves out records that are no well-formed tf.Example, and counts them. Default `"error"`. */
  readonly onMalformed?: "error" | "skip" | undefined;
  /** Which kernels decode. Default: the best there are. */
  readonly kernels?: Kernels | undefined;
}

/** How far a push came. */
export interface ExamplePushProgress {
  /** Records taken from the block, or bytes taken from the window. */
  readonly consumed: number;
  /** Records taken, skipped ones included. */
  readonly numRecords: number;
  /** The batch has reached a limit: finish it before the next push. */
  readonly isFull: boolean;
}

/**
 * Decodes tf.Examples into one record batch after the other: pushes in, batches out.
 *
 * In a cell, null means that the record lacks the feature or has it without a value list, and `[]` that its list is
 * empty. int64 is exact, float32 is kept bit for bit, bytes are not checked to be text. Records are parsed by
 * protobuf's rules, merges and unknown fields included; a map key that is not UTF-8 makes a record malformed.
 * A batch owns its memory. After an error the batch in the making is dropped, and the decoder is ready for the next.
 * @see tfx_bsl `ExamplesToRecordBatchDecoder`
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
  push(block: RecordBlock, from: number, limits: KernelLimits): ExamplePushProgress;
  /**
   * Takes TFRecords from byte `from` of a window on, until the batch is full or no whole record is left: framing,
   * checksums and parsing in one pass. What is left of an incomplete record is the caller's to judge.
   * @throws the errors of {@link push}; {@link RecordError} `corrupt-record` (`length-crc`, `payload-crc`),
   * `limit-exceeded` (`record-length`).
   */
  pushTfRecords(
    window: FramedWindow,
    from: number,
    limits: KernelLimits,
    options: FramedOptions,
  ): ExamplePushProgress;
  /**
   * Hands out the batch, of no rows if nothing was pushed, and starts an empty one.
   * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`) when the data has a feature of that name.
   */
  finish(): RecordBatch;
}

/**
 * A decoder from tf.Examples to record batches.
 * @throws {SchemaError} `schema-invalid` (`bad-schema-type`); `schema-mismatch` (`unknown-column`) for a path that
 * the schema lacks or that has not one step.
 * @throws {ArgumentError} `invalid-argument` (`raw-column-collision`) when the schema has a column of that name.
 */
export function createExampleDecoder(options: ExampleDecoderOptions = {}): ExampleDecoder {
  return new KernelExampleDecoder(options);
}

const unlimited: KernelLimits = { maxRows: Infinity, maxBytes: Infinity };

class KernelExampleDecoder implements ExampleDecoder {
  readonly #kernels: Kernels;
  readonly #kernel: ExampleKernel;
  readonly #listType: ExampleListType;
  readonly #rawRecordColumn: string | undefined;
  readonly #arrowSchema: ArrowSchema | null;

  constructor(options: ExampleDecoderOptions) {
    const { listType = "list", rawRecordColumn, onMalformed, kernels = chosenKernels() } = options;
    const plan = planExampleColumns(options);
    this.#kernels = kernels;
    this.#listType = listType;
    this.#rawRecordColumn = rawRecordColumn;
    this.#arrowSchema = plan.columns === undefined ? null : this.#schemaOf(plan.columns);
    this.#kernel = kernels.exampleDecoder({
      ...plan,
      keepRawRecords: rawRecordColumn !== undefined,
      onMalformed,
    });
  }

  get numRows(): number {
    return this.#kernel.numRows;
  }

  get numSkipped(): number {
    return this.#kernel.numSkipped;
  }

  arrowSchema(): ArrowSchema {
    if (this.#arrowSchema !== null) return this.#arrowSchema;
    throw new SchemaError(
      "schema-required",
      "Without a schema batches describe themselves and may differ, so there is no Arrow schema to tell.",
    );
  }

  decode(records: readonly Uint8Array[]): RecordBatch {
    if (this.numRows > 0) {
      throw new ArgumentError(
        "invalid-argument",
        `A batch of ${this.numRows} pushed rows has to be finished first.`,
        {
          reason: "unfinished-batch",
          argument: "records",
        },
      );
    }
    const start = new Uint32Array(1);
    const end = new Uint32Array(1);
    for (const [recordIndex, bytes] of records.entries()) {
      end[0] = bytes.length;
      const result = this.#kernel.pushRecords(bytes, start, end, 0, 1, unlimited);
      if (result.status !== KernelStatus.ok) {
        throw kernelError(result, { recordIndex, byteOffset: result.errorOffset });
      }
    }
    return this.finish();
  }

  push(block: RecordBlock, from: number, limits: KernelLimits): ExamplePushProgress {
    const { bytes, starts, ends, numRecords } = block;
    const result = this.#kernel.pushRecords(bytes, starts, ends, from, numRecords, limits);
    if (result.status === KernelStatus.ok) return result;
    throw kernelError(result, {
      uri: block.uri,
      recordIndex: block.firstRecordIndex + from + result.numRecords,
      byteOffset: block.byteOffset + result.errorOffset,
    });
  }

  pushTfRecords(
    window: FramedWindow,
    from: number,
    limits: KernelLimits,
    options: FramedOptions,
  ): ExamplePushProgress {
    const { bytes } = window;
    const result = this.#kernel.pushTfRecords(bytes, from, bytes.length, limits, options);
    if (result.status === KernelStatus.ok) return result;
    // Records before `from` were taken by earlier pushes; only an error has to know how many.
    const unchecked = { ...options, verifyPayload: false };
    const before = this.#kernels.scanTfRecords(bytes, 0, from + result.consumed, Infinity, unchecked);
    throw kernelError(result, {
      uri: window.uri,
      recordIndex: window.firstRecordIndex + before.numRecords,
      byteOffset: window.byteOffset + result.errorOffset,
    });
  }

  finish(): RecordBatch {
    const batch = this.#kernel.finish();
    return exampleRecordBatch(this.#arrowSchema ?? this.#schemaOf(batch.columns), batch, this.#listType);
  }

  #schemaOf(columns: readonly { readonly name: string; readonly kind: FeatureKind }[]): ArrowSchema {
    const fields = columns.map(({ name, kind }) => exampleField(name, kind, this.#listType));
    const raw = this.#rawRecordColumn;
    if (raw === undefined) return new ArrowSchema(fields);
    if (columns.some(({ name }) => name === raw)) {
      throw new ArgumentError(
        "invalid-argument",
        `The raw record column "${raw}" has the name of a feature.`,
        {
          reason: "raw-column-collision",
          argument: "rawRecordColumn",
        },
      );
    }
    return new ArrowSchema([...fields, exampleField(raw, FeatureKind.bytes, this.#listType)]);
  }
}
