import type { PayloadSession } from "@tfxio/format";
import type { BatchLimits, ErrorLocation, PushProgress, RecordBlock } from "@tfxio/wire";
import type { Field, RecordBatch, Schema as ArrowSchema } from "apache-arrow";
import { toBatch, withRawRecords } from "../batch/to-batch.js";
import { DecodeStatus } from "../kernel/decode-status.js";
import { BatchTooLarge } from "../kernel/memory-budget.js";
import { type DecoderPlan, MessageDecoder } from "../kernel/message-decoder.js";
import type { ProtobufOptions } from "../options.js";
import { compilePlan } from "../plan/compile-plan.js";
import type { SelectedMessage } from "../plan/selection.js";
import { BatchSize } from "./batch-size.js";
import { batchTooLarge, malformedMessage } from "./decode-errors.js";
import { RawRecords } from "./raw-records.js";

/** The decoder counts bytes of a block in int32. */
const MAX_OFFSET: number = 2 ** 31 - 1;

/** What a session decodes. */
export interface SessionPlan {
  readonly selected: SelectedMessage;
  readonly options: ProtobufOptions;
  /** Of the selected columns. */
  readonly arrowSchema: ArrowSchema;
  /** The column of raw records, which comes last. */
  readonly rawRecordField?: Field | undefined;
}

/** Fills batches with the messages of record blocks. */
export class ProtobufSession implements PayloadSession {
  numSkipped = 0;
  readonly #plan: SessionPlan;
  readonly #size = new BatchSize();
  readonly #damagedRows = new Set<number>();
  #rawRecords: RawRecords | undefined;
  #compiled!: DecoderPlan;
  #decoder!: MessageDecoder;

  constructor(plan: SessionPlan) {
    this.#plan = plan;
    this.#begin();
  }

  get numRows(): number {
    return this.#decoder.numRows;
  }

  push(block: RecordBlock, from: number, limits: BatchLimits): PushProgress {
    let at = from;
    let isFull = this.numRows >= limits.maxRows;
    try {
      for (; at < block.numRecords && !isFull; at++) isFull = this.#decode(block, at, limits);
    } catch (error) {
      if (!(error instanceof BatchTooLarge)) throw error;
      this.#begin();
      throw batchTooLarge(placeOf(block, at, block.starts[at]!), error);
    }
    return { consumed: at - from, numRecords: at - from, isFull };
  }

  finish(): RecordBatch {
    const { selected, arrowSchema, options, rawRecordField } = this.#plan;
    try {
      const batch = toBatch({
        arrowSchema,
        selected: selected.fields,
        columns: this.#compiled.root.columns,
        numRows: this.numRows,
        implicitDefaults: options.implicitDefaults,
        damagedRows: this.#damagedRows,
      });
      if (rawRecordField === undefined) return batch;
      return withRawRecords(batch, rawRecordField, this.#rawRecords!.column);
    } catch (cause) {
      // Memory for the copies is refused.
      if (cause instanceof RangeError) throw batchTooLarge({}, cause);
      throw cause;
    } finally {
      this.#clear();
    }
  }

  /** Appends the row of a record, or passes it over; true when the batch is full then. */
  #decode(block: RecordBlock, at: number, { maxRows, maxBytes }: BatchLimits): boolean {
    const { bytes } = block;
    const start = block.starts[at]!;
    const end = block.ends[at]!;
    if (end > MAX_OFFSET) throw new BatchTooLarge();
    const decoder = this.#decoder;
    const { numRows } = decoder;
    const status = decoder.decode(bytes, start, end);
    if (status !== DecodeStatus.ok && !this.#passesOver()) {
      const { errorOffset, errorPath: path } = decoder;
      const { typeName } = this.#plan.selected.type;
      this.#clear();
      throw malformedMessage({ status, location: placeOf(block, at, errorOffset), typeName, path });
    }
    if (decoder.numRows === numRows) return false;
    this.#rawRecords?.add(bytes, start, end);
    return (
      numRows + 1 >= maxRows || this.#size.isFull(this.#compiled.root, numRows + 1, end - start, maxBytes)
    );
  }

  /** True if the policy keeps going after a damaged record. */
  #passesOver(): boolean {
    const { onMalformed } = this.#plan.options;
    if (onMalformed === "error") return false;
    this.numSkipped++;
    if (onMalformed === "null") {
      this.#damagedRows.add(this.numRows);
      this.#decoder.addNullRow();
    }
    return true;
  }

  /** Columns of a batch that was too large are not kept. */
  #begin(): void {
    const { selected, options, rawRecordField } = this.#plan;
    this.#compiled = compilePlan(selected, options);
    this.#decoder = new MessageDecoder(this.#compiled);
    this.#rawRecords = rawRecordField && new RawRecords();
    this.#clear();
  }

  #clear(): void {
    this.#decoder.clear();
    this.#rawRecords?.clear();
    this.#size.clear();
    this.#damagedRows.clear();
  }
}

/** Where a record is in its source. @param offset In the block's bytes. */
function placeOf(
  { uri, firstRecordIndex, byteOffset }: RecordBlock,
  at: number,
  offset: number,
): ErrorLocation {
  return { uri, recordIndex: firstRecordIndex + at, byteOffset: byteOffset + offset };
}
