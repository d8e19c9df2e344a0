import { DecodeStatus } from "../../src/kernels/decode-status.js";
import type { ColumnItems } from "../../src/kernels/column-items.js";
import { Encoding, wordsPerValue } from "../../src/kernels/encoding.js";
import { MemoryBudget } from "../../src/kernels/memory-budget.js";
import type { RecordsDecoder } from "../../src/kernels/message-kernel.js";
import type { DecoderPlan } from "../../src/kernels/typescript/message-decoder.js";
import type { MessagePlan } from "../../src/kernels/typescript/message-plan.js";
import { compilePlan } from "../../src/plan/compile-plan.js";
import type { DrawnCase } from "./draw-case.js";

/** Creates a decoder for a plan that no other decoder uses. */
export type CreateDecoder = (plan: DecoderPlan, memoryLimit: number) => RecordsDecoder;

/**
 * Returns a log of the results of a decoder, step by step. A damaged record becomes a row of nulls if its index is even. The log
 * ends if a batch becomes too large.
 */
export function decoderLog(
  create: CreateDecoder,
  { selected, rules, memoryLimit, limits, blocks }: DrawnCase,
): string[] {
  const plan = compilePlan(selected, rules, new MemoryBudget(memoryLimit));
  const decoder = create(plan, memoryLimit);
  const log: string[] = [];
  const add = (entry: unknown): unknown => log.push(JSON.stringify(entry));
  const finish = (): void => {
    add({ numRows: decoder.numRows, numBytes: decoder.numBytes() });
    addColumns(plan.root, decoder.numRows);
    decoder.clear();
  };
  const addColumns = ({ columns }: MessagePlan, numParents: number): void => {
    for (const column of columns) {
      const items = decoder.itemsOf(column, numParents);
      add({ ...plain(items, column.encoding), validity: validityOf(items, numParents) });
      if (column.message !== undefined) addColumns(column.message as MessagePlan, items.numItems);
    }
  };
  for (const block of blocks) {
    let at = 0;
    while (at < block.numRecords) {
      const { cause: _, ...progress } = decoder.decode(block, at, limits);
      const isOk = progress.status === DecodeStatus.ok;
      const isTooLarge = progress.status === DecodeStatus.batchTooLarge;
      add(isOk || isTooLarge ? { ...progress, errorOffset: 0, errorPath: "" } : progress);
      if (isTooLarge) return log;
      at += progress.numDecoded;
      let { isFull } = progress;
      if (!isOk) {
        if (at % 2 === 0) isFull = decoder.addNullRow(block.ends[at]! - block.starts[at]!, limits);
        add({ isFull });
        at++;
      }
      if (isFull) finish();
    }
  }
  finish();
  return log;
}

function plain({ starts, numItems, words, data }: ColumnItems, encoding: Encoding): object {
  const isBytes = encoding === Encoding.bytes;
  const numWords = numItems * wordsPerValue(encoding) + (isBytes ? 1 : 0);
  return {
    starts: [...starts],
    numItems,
    words: [...words.subarray(0, numWords)],
    data: isBytes ? [...data.subarray(0, words[numItems])] : [],
  };
}

/** Returns the validity that the kernel reports. If it reports none, a list is valid if it has items. */
function validityOf({ starts, numItems, validity }: ColumnItems, numParents: number): readonly boolean[] {
  return Array.from({ length: numParents }, (_, list) => {
    if (validity === undefined) return (starts[list] ?? numItems) < (starts[list + 1] ?? numItems);
    const { bitmap } = validity;
    return bitmap === undefined || (bitmap[list >> 3]! & (1 << (list & 7))) !== 0;
  });
}
