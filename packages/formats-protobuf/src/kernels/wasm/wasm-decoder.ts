import type { BatchLimits, RecordBlock } from "@tfxio/wire";
import type { ColumnItems, ListValidity } from "../column-items.js";
import { DecodeStatus } from "../decode-status.js";
import { Encoding, wordsPerValue } from "../encoding.js";
import type { DecodeProgress, RecordsDecoder } from "../message-kernel.js";
import type { Column } from "../typescript/column.js";
import { COLUMN_WORDS, ColumnWord, type KernelExports, Outcome } from "./kernel-exports.js";
import type { LaidPlan } from "./lay-plan.js";
import { copyRecords } from "./record-window.js";

/** Number of words in the outcome of a call: the members of {@link Outcome}. */
const NUM_OUTCOME_WORDS = 8;
/**
 * Maximum offset in a block. The TypeScript implementation has int32 offsets, so both implementations reject records beyond it.
 */
const MAX_OFFSET: number = 2 ** 31 - 1;
const NO_DATA = new Uint8Array(0);

/**
 * Creates a decoder for the plan in the memory of an instance. The decoder becomes unusable when another plan replaces this plan.
 * @param laid addresses of the plan.
 */
export function createWasmDecoder(kernel: KernelExports, { columns, messages }: LaidPlan): RecordsDecoder {
  const outcomeAt = kernel.outcomeAddress() >>> 0;
  let outcome = new Uint32Array(0);
  /** Returns a view of the outcome words. Growing the memory detaches views, so a new one is created then. */
  const currentOutcome = (): Uint32Array => {
    if (outcome.length === 0) outcome = new Uint32Array(kernel.memory.buffer, outcomeAt, NUM_OUTCOME_WORDS);
    return outcome;
  };
  let numRows = 0;

  /** Decodes one window of records, until the batch is full or a record is damaged. */
  const decodeSome = (
    block: RecordBlock,
    from: number,
    { maxRows, maxBytes }: BatchLimits,
  ): DecodeProgress => {
    const tooLarge = { numDecoded: 0, status: DecodeStatus.batchTooLarge, isFull: false, errorOffset: 0 };
    if (block.ends[from]! > MAX_OFFSET) return { ...tooLarge, errorPath: "" };
    const window = copyRecords(kernel, block, from, currentOutcome);
    if (window === undefined) return { ...tooLarge, errorPath: "" };
    const status = kernel.decode(window.numRecords, window.shift, maxRows, maxBytes) as DecodeStatus;
    const words = currentOutcome();
    const numDecoded = words[Outcome.numDecoded]!;
    numRows += numDecoded;
    const isFull = words[Outcome.isFull] !== 0;
    if (status === DecodeStatus.ok) return { numDecoded, status, isFull, errorOffset: 0, errorPath: "" };
    const errorOffset = words[Outcome.errorAt]! - window.shift;
    // A skipped group has no plan, so an error in it has no path.
    const errorPath = messages.get(words[Outcome.errorPlan]!)?.path ?? "";
    return { numDecoded, status, isFull, errorOffset, errorPath };
  };

  const validityOf = (column: number, numParents: number): ListValidity => {
    if (kernel.listValidity(column, numParents) === 0) throw new RangeError("no memory is left for a bitmap");
    const words = currentOutcome();
    const nullCount = words[Outcome.nullCount]!;
    if (nullCount === 0) return { nullCount };
    return {
      nullCount,
      bitmap: new Uint8Array(kernel.memory.buffer, words[Outcome.bitmap], (numParents + 7) >> 3),
    };
  };

  return {
    get numRows() {
      return numRows;
    },
    decode(block, from, limits) {
      let numDecoded = 0;
      for (;;) {
        const progress = decodeSome(block, from + numDecoded, limits);
        const { status, isFull, errorOffset, errorPath } = progress;
        numDecoded += progress.numDecoded;
        if (status !== DecodeStatus.ok || isFull || from + numDecoded === block.numRecords) {
          return { numDecoded, status, isFull, errorOffset, errorPath };
        }
      }
    },
    addNullRow(recordBytes, { maxRows, maxBytes }) {
      numRows++;
      return kernel.addNullRow(recordBytes, maxRows, maxBytes) !== 0;
    },
    itemsOf(column, numParents) {
      const address = columns.get(column)!;
      const validity = validityOf(address, numParents);
      const record = new Int32Array(kernel.memory.buffer, address, COLUMN_WORDS);
      return itemsAt(kernel.memory.buffer, record, column, validity);
    },
    numBytes: () => kernel.numBytes(),
    clear() {
      numRows = 0;
      kernel.clear();
    },
  };
}

/** Creates views of the items of a column from the column's object in the memory of the kernel. */
function itemsAt(
  buffer: ArrayBuffer,
  record: Int32Array,
  { encoding }: Column,
  validity: ListValidity,
): ColumnItems {
  const at = (word: keyof typeof ColumnWord): number => record[ColumnWord[word]]! >>> 0;
  const numItems = at("numItems");
  const starts = new Int32Array(buffer, at("starts"), record[ColumnWord.lastParent]! + 1);
  const numWords = numItems * wordsPerValue(encoding) + (encoding === Encoding.bytes ? 1 : 0);
  const words = new Int32Array(buffer, at("words"), numWords);
  const data = encoding === Encoding.bytes ? new Uint8Array(buffer, at("data"), words[numItems]) : NO_DATA;
  return { starts, numItems, words, data, validity };
}
