import type { LendingSession, LentBatch } from "@tfxio/format";
import type { BatchLimits, ErrorLocation, PushProgress, RecordBlock } from "@tfxio/wire";
import type { Field, RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import type { AllocateBuffer } from "../batch/batch-memory.js";
import { BufferPool } from "../batch/buffer-pool.js";
import { toBatch, withRawRecords } from "../batch/to-batch.js";
import { DecodeStatus } from "../kernels/decode-status.js";
import { BatchTooLarge } from "../kernels/memory-budget.js";
import type { DecodeProgress, MessageKernel, RecordsDecoder } from "../kernels/message-kernel.js";
import { messageKernel } from "../kernels/select-message-kernel.js";
import type { DecoderPlan } from "../kernels/typescript/message-decoder.js";
import type { ProtobufOptions } from "../options.js";
import { compilePlan } from "../plan/compile-plan.js";
import type { SelectedMessage } from "../plan/selection.js";
import { batchTooLarge, malformedMessage } from "./decode-errors.js";
import { RawRecords } from "./raw-records.js";

export interface SessionPlan {
  readonly selected: SelectedMessage;
  readonly options: ProtobufOptions;
  /** Arrow schema of the selected columns. */
  readonly arrowSchema: ArrowSchema;
  /** Field of the raw record column, which is the last column. Absent if the column is not requested. */
  readonly rawRecordField?: Field | undefined;
}

/** Decodes the messages of record blocks into batches. The columns are reused for the next batch. */
export class ProtobufSession implements LendingSession {
  numSkipped = 0;
  readonly #plan: SessionPlan;
  readonly #kernel: MessageKernel;
  /** Rows of this batch that stand for damaged records. */
  readonly #damagedRows = new Set<number>();
  /** Memory of leased batches. */
  readonly #lent = new BufferPool();
  #rawRecords: RawRecords | undefined;
  #compiled!: DecoderPlan;
  #decoder!: RecordsDecoder;

  /** @param kernel the implementation of decoding. Tests pass a specific one. */
  constructor(plan: SessionPlan, kernel: MessageKernel = messageKernel()) {
    this.#plan = plan;
    this.#kernel = kernel;
    this.#begin();
  }

  get numRows(): number {
    return this.#decoder.numRows;
  }

  push(block: RecordBlock, from: number, limits: BatchLimits): PushProgress {
    let at = from;
    let isFull = this.numRows >= limits.maxRows;
    while (at < block.numRecords && !isFull) {
      const progress = this.#decoder.decode(block, at, limits);
      const end = at + progress.numDecoded;
      for (; at < end; at++) this.#addRaw(block, at);
      ({ isFull } = progress);
      if (progress.status !== DecodeStatus.ok) isFull = this.#passOver(block, at++, limits, progress);
    }
    return { consumed: at - from, numRecords: at - from, isFull };
  }

  finish(): RecordBatch {
    return this.#take();
  }

  /** Like {@link finish}, but leases the batch. `release` passes its memory on to later batches, and detaches all views of it. */
  finishLeased(): LentBatch {
    const pool = this.#lent;
    const taken: ArrayBuffer[] = [];
    const release = (): void => {
      for (const buffer of taken.splice(0)) pool.giveBack(buffer);
    };
    try {
      const batch = this.#take((numBytes) => {
        const buffer = pool.take(numBytes);
        taken.push(buffer);
        return buffer;
      });
      return { batch, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Returns the current batch in buffers from `allocate`, and starts an empty batch. */
  #take(allocate?: AllocateBuffer): RecordBatch {
    const { selected, arrowSchema, options, rawRecordField } = this.#plan;
    try {
      const batch = toBatch({
        arrowSchema,
        selected: selected.fields,
        columns: this.#compiled.root.columns,
        decoder: this.#decoder,
        implicitDefaults: options.implicitDefaults,
        damagedRows: this.#damagedRows,
        allocate,
      });
      if (rawRecordField === undefined) return batch;
      return withRawRecords(batch, rawRecordField, this.#rawRecords!.column, allocate);
    } catch (cause) {
      // A RangeError means that no memory is left for the arrays of the batch.
      if (cause instanceof RangeError) throw batchTooLarge({}, cause);
      throw cause;
    } finally {
      this.#clear();
    }
  }

  /**
   * Applies `onMalformed` to a damaged record: skips it, adds a row of nulls, or throws. Returns true if the batch is then full.
   */
  #passOver(block: RecordBlock, at: number, limits: BatchLimits, progress: DecodeProgress): boolean {
    const { status, errorOffset, errorPath: path, cause } = progress;
    const { onMalformed } = this.#plan.options;
    if (status === DecodeStatus.batchTooLarge) this.#failTooLarge(block, at, cause);
    if (onMalformed === "error") {
      const { typeName } = this.#plan.selected.type;
      this.#clear();
      throw malformedMessage({ status, location: placeOf(block, at, errorOffset), typeName, path });
    }
    this.numSkipped++;
    if (onMalformed === "skip") return false;
    this.#damagedRows.add(this.numRows);
    const isFull = this.#decoder.addNullRow(block.ends[at]! - block.starts[at]!, limits);
    this.#addRaw(block, at);
    return isFull;
  }

  /** Appends a record to the raw record column, if there is one. */
  #addRaw(block: RecordBlock, at: number): void {
    if (this.#rawRecords === undefined) return;
    try {
      this.#rawRecords.add(block.bytes, block.starts[at]!, block.ends[at]!);
    } catch (error) {
      if (!(error instanceof BatchTooLarge)) throw error;
      this.#failTooLarge(block, at, error);
    }
  }

  #failTooLarge(block: RecordBlock, at: number, cause: unknown): never {
    this.#begin();
    throw batchTooLarge(placeOf(block, at, block.starts[at]!), cause);
  }

  /** Starts a batch with new columns. Needed for the first batch, and after a batch that was too large. */
  #begin(): void {
    const { selected, options, rawRecordField } = this.#plan;
    this.#compiled = compilePlan(selected, options);
    this.#decoder = this.#kernel.createDecoder(this.#compiled);
    this.#rawRecords = rawRecordField && new RawRecords();
    this.#clear();
  }

  #clear(): void {
    this.#decoder.clear();
    this.#rawRecords?.clear();
    this.#damagedRows.clear();
  }
}

/** Returns the location of a byte of a record in its source. @param offset offset of the byte in the block. */
function placeOf(
  { uri, firstRecordIndex, byteOffset }: RecordBlock,
  at: number,
  offset: number,
): ErrorLocation {
  return { uri, recordIndex: firstRecordIndex + at, byteOffset: byteOffset + offset };
}
