import { ArgumentError, type FramedWindow, type RecordBlock, SchemaError } from "@tfxio/wire";
import {
  type ExampleBatch,
  type ExampleKernel,
  type FramedOptions,
  type KernelLimits,
  type Kernels,
  KernelStatus,
  type Leased,
} from "@tfxio/wire/kernels";
import type { RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { ExampleDecoder, ExamplePushProgress } from "./decoder.js";
import { kernelError, type PayloadWords } from "./kernel-errors.js";

const unlimited: KernelLimits = { maxRows: Infinity, maxBytes: Infinity };

/** A kernel by what it makes. */
interface KernelOf<Batch> extends Omit<ExampleKernel, "finish" | "finishLeased"> {
  finish(): Batch;
  finishLeased?(): Leased<Batch>;
}

/** What decoders of Examples and of SequenceExamples do not have in common. */
export interface KernelDecoderParts<Batch extends ExampleBatch> {
  readonly kernels: Kernels;
  readonly kernel: KernelOf<Batch>;
  /** Null for a decoder without schema. */
  readonly arrowSchema: ArrowSchema | null;
  /** How errors speak of the records. */
  readonly words: PayloadWords;
  /** A record batch over the kernel's buffers. */
  toRecordBatch(this: void, batch: Batch): RecordBatch;
}

/** A kernel as a decoder: records in, batches or coded errors out. */
export class KernelDecoder<Batch extends ExampleBatch> implements ExampleDecoder {
  readonly #parts: KernelDecoderParts<Batch>;

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
    const { arrowSchema } = this.#parts;
    if (arrowSchema !== null) return arrowSchema;
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
      const result = this.#parts.kernel.pushRecords(bytes, start, end, 0, 1, unlimited);
      if (result.status !== KernelStatus.ok) {
        throw kernelError(result, this.#parts.words, { recordIndex, byteOffset: result.errorOffset });
      }
    }
    return this.finish();
  }

  push(block: RecordBlock, from: number, limits: KernelLimits): ExamplePushProgress {
    const { bytes, starts, ends, numRecords } = block;
    const result = this.#parts.kernel.pushRecords(bytes, starts, ends, from, numRecords, limits);
    if (result.status === KernelStatus.ok) return result;
    throw kernelError(result, this.#parts.words, {
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
    const result = this.#parts.kernel.pushTfRecords(bytes, from, bytes.length, limits, options);
    if (result.status === KernelStatus.ok) return result;
    // Records before `from` were taken by earlier pushes; only an error has to know how many.
    const unchecked = { ...options, verifyPayload: false };
    const before = this.#parts.kernels.scanTfRecords(bytes, 0, from + result.consumed, Infinity, unchecked);
    throw kernelError(result, this.#parts.words, {
      uri: window.uri,
      recordIndex: window.firstRecordIndex + before.numRecords,
      byteOffset: window.byteOffset + result.errorOffset,
    });
  }

  finish(): RecordBatch {
    const { kernel, toRecordBatch } = this.#parts;
    return toRecordBatch(kernel.finish());
  }

  finishLeased(): Leased<RecordBatch> {
    const { kernel, toRecordBatch } = this.#parts;
    const { batch, release } = kernel.finishLeased?.() ?? { batch: kernel.finish(), release() {} };
    try {
      return { batch: toRecordBatch(batch), release };
    } catch (error) {
      release();
      throw error;
    }
  }
}
