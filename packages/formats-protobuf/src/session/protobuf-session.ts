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
    const { starts, ends, numRecords } = block;
    let at = from;
    let isFull = this.numRows >= limits.maxRows;
    for (; at < numRecords && !isFull; at++) {
      const numRows = this.numRows;
      this.#decode(block, at);
      if (this.numRows === numRows) continue;
      const numBytes = ends[at]! - starts[at]!;
      isFull =
        this.numRows >= limits.maxRows ||
        this.#size.isFull(this.#compiled.root, this.numRows, numBytes, limits.maxBytes);
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
    } finally {
      this.#clear();
    }
  }

  #decode(block: RecordBlock, at: number): void {
    const { bytes, starts, ends, uri, firstRecordIndex } = block;
    const start = starts[at]!;
    const location = (byteOffset: number): ErrorLocation => ({
      uri,
      recordIndex: firstRecordIndex + at,
      byteOffset: block.byteOffset + byteOffset,
    });
    try {
      const status = this.#decoder.decode(bytes, start, ends[at]!);
      if (status !== DecodeStatus.ok && !this.#passesOver()) {
        const { errorOffset, errorPath: path } = this.#decoder;
        const { typeName } = this.#plan.selected.type;
        this.#clear();
        throw malformedMessage({ status, location: location(errorOffset), typeName, path });
      }
      if (status === DecodeStatus.ok || this.#plan.options.onMalformed === "null") {
        this.#rawRecords?.add(bytes, start, ends[at]!);
      }
    } catch (error) {
      if (!(error instanceof BatchTooLarge)) throw error;
      this.#begin();
      throw batchTooLarge(location(start), error);
    }
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
