import type { BatchLimits, RecordBlock } from "@tfxio/wire";
import type { ColumnItems } from "./column-items.js";
import type { DecodeStatus } from "./decode-status.js";
import type { Column } from "./typescript/column.js";
import type { DecoderPlan } from "./typescript/message-decoder.js";

/** How far a decoder came in a block. */
export interface DecodeProgress {
  /** Records that became rows. */
  readonly numDecoded: number;
  /** `ok`, or what is wrong with the record after those. */
  readonly status: DecodeStatus;
  readonly isFull: boolean;
  /** Offset in the bytes of the block of what is wrong. */
  readonly errorOffset: number;
  /** Path of the message that holds it, empty for the record. */
  readonly errorPath: string;
  /** Why memory was refused, if the runtime said so. */
  readonly cause?: unknown;
}

/** Decodes records of one message type into the columns of a batch. */
export interface RecordsDecoder {
  readonly numRows: number;
  /**
   * Appends a row for each record of the block from record `from` on, until the batch is full or a record is damaged, which
   * leaves no trace. After `batchTooLarge` the decoder is not usable.
   */
  decode(block: RecordBlock, from: number, limits: BatchLimits): DecodeProgress;
  /** Appends a row of nulls for a damaged record of `recordBytes`; true when the batch is full then. */
  addNullRow(recordBytes: number, limits: BatchLimits): boolean;
  /**
   * The items of a column of the plan, for `numParents` parents. Borrowed: valid until the next call.
   * @throws {RangeError} when memory is refused.
   */
  itemsOf(column: Column, numParents: number): ColumnItems;
  /** What the batch takes: values, offsets and bitmaps of all columns, without alignment. */
  numBytes(): number;
  /** Starts a batch of no rows. */
  clear(): void;
}

/** An implementation of decoding. */
export interface MessageKernel {
  readonly name: "typescript" | "wasm";
  /** A decoder for `plan`, whose columns it may fill: no two decoders share a plan. */
  createDecoder(plan: DecoderPlan): RecordsDecoder;
}
