import type { BatchLimits, RecordBlock } from "@tfxio/wire";
import { DecodeStatus } from "../decode-status.js";
import { BatchTooLarge } from "../memory-budget.js";
import type { DecodeProgress, MessageKernel, RecordsDecoder } from "../message-kernel.js";
import { BatchSize, bytesBelow } from "./batch-size.js";
import { type DecoderPlan, MessageDecoder } from "./message-decoder.js";

/** Maximum offset in a block. The decoder uses int32 offsets. */
const MAX_OFFSET: number = 2 ** 31 - 1;

/** The TypeScript implementation. It runs everywhere and supports every plan. */
export const typescriptKernel: MessageKernel = { name: "typescript", createDecoder: createTypescriptDecoder };

/** Creates a decoder that stores values in the columns of the plan. */
export function createTypescriptDecoder(plan: DecoderPlan): RecordsDecoder {
  const decoder = new MessageDecoder(plan);
  const size = new BatchSize();

  const isFull = (recordBytes: number, { maxRows, maxBytes }: BatchLimits): boolean => {
    const { numRows } = decoder;
    return numRows >= maxRows || size.isFull(plan.root, numRows, recordBytes, maxBytes);
  };

  const decodeRecord = ({ bytes, starts, ends }: RecordBlock, at: number): DecodeStatus => {
    if (ends[at]! > MAX_OFFSET) throw new BatchTooLarge();
    return decoder.decode(bytes, starts[at]!, ends[at]!);
  };

  return {
    get numRows() {
      return decoder.numRows;
    },
    decode(block, from, limits): DecodeProgress {
      const { starts, ends } = block;
      const progress = (at: number, status: DecodeStatus, full: boolean, cause?: unknown): DecodeProgress => {
        const { errorOffset, errorPath } = decoder;
        return { numDecoded: at - from, status, isFull: full, errorOffset, errorPath, cause };
      };
      let at = from;
      try {
        while (at < block.numRecords) {
          const status = decodeRecord(block, at);
          if (status !== DecodeStatus.ok) return progress(at, status, false);
          const full = isFull(ends[at]! - starts[at]!, limits);
          at++;
          if (full) return progress(at, DecodeStatus.ok, true);
        }
      } catch (error) {
        if (error instanceof BatchTooLarge) return progress(at, DecodeStatus.batchTooLarge, false, error);
        throw error;
      }
      return progress(at, DecodeStatus.ok, false);
    },
    addNullRow(recordBytes, limits) {
      decoder.addNullRow();
      return isFull(recordBytes, limits);
    },
    itemsOf: ({ starts, lastParent, numItems, words, data }) => ({
      starts: starts.subarray(0, lastParent + 1),
      numItems,
      words,
      data,
    }),
    numBytes: () => bytesBelow(plan.root, decoder.numRows),
    clear() {
      decoder.clear();
      size.clear();
    },
  };
}
