import {
  ArgumentError,
  type BatchLimits,
  type ErrorLocation,
  type FramedOptions,
  type FramedWindow,
  isTfxioError,
  type PushProgress,
  type RecordBlock,
  RecordError,
  SchemaError,
  type TfxioError,
} from "@tfxio/wire";
import { assertArgument, assertRecordBounds } from "@tfxio/wire/checks";
import {
  type ExampleBatch,
  type ExampleKernel,
  type Kernels,
  KernelStatus,
  type Leased,
  type PushResult,
} from "@tfxio/wire/kernels";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { aBatchLimits, aListOfUint8Arrays, aRecordBlock } from "../argument-rules.js";
import type { ExampleDecoder } from "./decoder.js";
import { withFixedSizeLists } from "./fixed-size-lists.js";
import { kernelError, type PayloadWords } from "./kernel-errors.js";
import { RowOrigins } from "./row-origins.js";

/** `decode` puts all its records into one batch. */
const unlimited: BatchLimits = { maxRows: Infinity, maxBytes: Infinity };

interface KernelOf<Batch> extends Omit<ExampleKernel, "finish" | "finishLeased"> {
  finish(): Batch;
  finishLeased?(): Leased<Batch>;
}

/** The parts that differ between the decoders of Examples and SequenceExamples. */
export interface KernelDecoderParts<Batch extends ExampleBatch> {
  readonly kernels: Kernels;
  readonly kernel: KernelOf<Batch>;
  /** Null for a decoder without a schema. */
  readonly arrowSchema: ArrowSchema | null;
  /** The schema with fixed-size lists; undefined unless the caller requested `listType: "fixed"`. */
  readonly fixedSchema: ArrowSchema | undefined;
  /** The terms that error messages use for the payload. */
  readonly words: PayloadWords;
  /** Builds a record batch over the kernel's buffers. */
  toRecordBatch(this: void, batch: Batch): RecordBatch;
}

/** Adapts a kernel to the decoder interface and converts its statuses to `TfxioError`s. */
export class KernelDecoder<Batch extends ExampleBatch> implements ExampleDecoder {
  readonly framings = ["tfrecord"] as const;
  readonly #parts: KernelDecoderParts<Batch>;
  readonly #origins = new RowOrigins();
  /**
   * The block of the last push, and the record where that push ended. The bounds of that record and all later ones have already
   * been checked.
   */
  #checked: { readonly block: RecordBlock; readonly from: number } | undefined;
  /** The window of the last framed push, with the byte and record position where that push ended. */
  #pushed: { readonly window: FramedWindow; readonly from: number; readonly recordIndex: number } | undefined;

  constructor(parts: KernelDecoderParts<Batch>) {
    this.#parts = parts;
  }

  get numRows(): number {
    return this.#parts.kernel.numRows;
  }

  get numSkipped(): number {
    return this.#parts.kernel.numSkipped;
  }

  arrowSchema(): ArrowSchema {
    const arrowSchema = this.#parts.fixedSchema ?? this.#parts.arrowSchema;
    if (arrowSchema !== null) return arrowSchema;
    throw new SchemaError(
      "schema-required",
      "arrowSchema requires a schema: without one, the columns may differ from batch to batch.",
    );
  }

  decode(records: readonly Uint8Array[]): RecordBatch {
    assertArgument("records", records, aListOfUint8Arrays);
    if (this.numRows > 0) {
      throw new ArgumentError(
        "invalid-argument",
        `decode requires an empty batch, found ${this.numRows} pushed rows; call finish first.`,
        {
          reason: "unfinished-batch",
          argument: "records",
        },
      );
    }
    const { numSkipped } = this;
    const start = new Uint32Array(1);
    const end = new Uint32Array(1);
    for (const [recordIndex, bytes] of records.entries()) {
      end[0] = bytes.length;
      const result = this.#parts.kernel.pushRecords(bytes, start, end, 0, 1, unlimited);
      if (result.status !== KernelStatus.ok) {
        throw this.#errorOf(result, { recordIndex, byteOffset: result.errorOffset });
      }
    }
    this.#origins.add(0, { recordIndex: this.numSkipped === numSkipped ? 0 : undefined });
    return this.finish();
  }

  push(block: RecordBlock, from: number, limits: BatchLimits): PushProgress {
    assertArgument("block", block, aRecordBlock);
    assertArgument("limits", limits, aBatchLimits);
    const { bytes, starts, ends, numRecords, uri } = block;
    const isChecked = this.#checked?.block === block && this.#checked.from === from;
    if (!isChecked) assertRecordBounds(block, from, numRecords);
    this.#checked = undefined;
    const { numRows, numSkipped } = this;
    const result = this.#parts.kernel.pushRecords(bytes, starts, ends, from, numRecords, limits);
    const next = from + result.consumed;
    const recordIndex = block.firstRecordIndex + from;
    if (result.status !== KernelStatus.ok) {
      throw this.#errorOf(result, {
        uri,
        recordIndex: recordIndex + result.numRecords,
        byteOffset: block.byteOffset + result.errorOffset,
      });
    }
    // A block that is used up is not kept, so that its bytes can be freed.
    if (next < numRecords) this.#checked = { block, from: next };
    this.#origins.add(numRows, {
      uri,
      recordIndex: this.numSkipped === numSkipped ? recordIndex : undefined,
    });
    return result;
  }

  pushFramed(window: FramedWindow, from: number, limits: BatchLimits, options: FramedOptions): PushProgress {
    assertArgument("window", window, aRecordBlock);
    assertArgument("limits", limits, aBatchLimits);
    const { bytes, uri } = window;
    const { numRows, numSkipped } = this;
    const result = this.#parts.kernel.pushTfRecords(bytes, from, bytes.length, limits, options);
    const recordIndex = this.#recordIndexAt(window, from, options);
    if (result.status !== KernelStatus.ok) {
      const location = {
        uri,
        recordIndex: recordIndex + result.numRecords,
        byteOffset: window.byteOffset + result.errorOffset,
      };
      throw this.#errorOf(result, location, options.maxRecordBytes);
    }
    this.#pushed = { window, from: from + result.consumed, recordIndex: recordIndex + result.numRecords };
    this.#origins.add(numRows, {
      uri,
      recordIndex: this.numSkipped === numSkipped ? recordIndex : undefined,
    });
    return result;
  }

  finish(): RecordBatch {
    const { kernel } = this.#parts;
    return this.#finished(() => this.#toRecordBatch(kernel.finish()));
  }

  finishLeased(): Leased<RecordBatch> {
    const { kernel } = this.#parts;
    return this.#finished(() => {
      const { batch, release } = kernel.finishLeased?.() ?? { batch: kernel.finish(), release() {} };
      try {
        return { batch: this.#toRecordBatch(batch), release };
      } catch (error) {
        release();
        throw error;
      }
    });
  }

  /** Calls `finish`. If memory cannot be allocated, discards the batch and throws `limit-exceeded`. */
  #finished<Result>(finish: () => Result): Result {
    const { kernel } = this.#parts;
    const { numRows } = kernel;
    try {
      return finish();
    } catch (error) {
      if (isTfxioError(error) || (error as Partial<Error>).name !== "RangeError") throw error;
      kernel.reset();
      this.#origins.clear();
      throw new RecordError(
        "limit-exceeded",
        `Not enough memory for a batch of ${numRows} rows; use smaller batches.`,
        { reason: "batch-too-large", cause: error },
      );
    }
  }

  #toRecordBatch(batch: Batch): RecordBatch {
    const { toRecordBatch, fixedSchema } = this.#parts;
    try {
      const lists = toRecordBatch(batch);
      return fixedSchema === undefined ? lists : withFixedSizeLists(lists, fixedSchema, this.#origins);
    } finally {
      this.#origins.clear();
    }
  }

  /** Creates the error for a failed push. The kernel has discarded its batch, so the origins of its rows are discarded too. */
  #errorOf(result: PushResult, location: ErrorLocation, maxRecordBytes?: number): TfxioError {
    this.#origins.clear();
    this.#pushed = undefined;
    return kernelError(result, this.#parts.words, location, maxRecordBytes);
  }

  /**
   * Returns the index of the record at byte `from`. Normally a push starts at the window's first byte or where the last push
   * ended, so the index is known. Otherwise this method counts the preceding records.
   */
  #recordIndexAt(window: FramedWindow, from: number, options: FramedOptions): number {
    if (from === 0) return window.firstRecordIndex;
    const pushed = this.#pushed;
    if (pushed?.window === window && pushed.from === from) return pushed.recordIndex;
    const unchecked = { ...options, verifyPayload: false };
    const before = this.#parts.kernels.scanTfRecords(window.bytes, 0, from, Infinity, unchecked);
    return window.firstRecordIndex + before.numRecords;
  }
}
