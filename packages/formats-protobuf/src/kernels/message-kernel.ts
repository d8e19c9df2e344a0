import type { BatchLimits, RecordBlock } from "@tfxio/wire";
import type { ColumnItems } from "./column-items.js";
import type { DecodeStatus } from "./decode-status.js";
import type { Column } from "./typescript/column.js";
import type { DecoderPlan } from "./typescript/message-decoder.js";

/** The result of decoding records of a block. */
export interface DecodeProgress {
  /** Number of records that became rows. */
  readonly numDecoded: number;
  /** `ok`, or the error in the record that follows the decoded ones. */
  readonly status: DecodeStatus;
  /** True if the batch has reached a limit, so that no further record may be added. */
  readonly isFull: boolean;
  /** If a record is damaged, the offset of the error in the bytes of the block. */
  readonly errorOffset: number;
  /** Path of the message that contains the error; empty for the record itself and for a protobuf group that was not requested. */
  readonly errorPath: string;
  /** For `batchTooLarge`, the error that caused it. WebAssembly reports none. */
  readonly cause?: unknown;
}

/** Decodes records of one message type into the columns of a batch. */
export interface RecordsDecoder {
  readonly numRows: number;
  /**
   * Appends a row for each record of the block from index `from`, until the batch is full or a record is damaged. A damaged
   * record adds nothing. After `batchTooLarge` the decoder is unusable.
   */
  decode(block: RecordBlock, from: number, limits: BatchLimits): DecodeProgress;
  /** Appends a row of nulls for a damaged record of `recordBytes` bytes. Returns true if the batch is then full. */
  addNullRow(recordBytes: number, limits: BatchLimits): boolean;
  /**
   * Returns the items of a column of the plan. Borrowed: valid until the next call of any method.
   * @param numParents number of all parents of the column: see {@link Column}.
   * @throws {RangeError} if memory runs out.
   */
  itemsOf(column: Column, numParents: number): ColumnItems;
  /** Returns the size of the batch in bytes: values, offsets and bitmaps of all columns, without alignment. */
  numBytes(): number;
  /** Starts an empty batch. Invalidates borrowed items. */
  clear(): void;
}

/** An implementation of decoding. All implementations give the same results. */
export interface MessageKernel {
  readonly name: "typescript" | "wasm";
  /**
   * Creates a decoder for `plan`. A decoder may store values in the columns of its plan, so two decoders must not share a plan.
   */
  createDecoder(plan: DecoderPlan): RecordsDecoder;
}
