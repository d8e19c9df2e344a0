import type { Column } from "../kernel/column.js";
import { Encoding, wordsPerValue } from "../kernel/encoding.js";
import type { ColumnItems } from "./column-items.js";

/** The items of a singular column, and a zero, or no bytes, for each parent that has none. @param except Parents to leave out. */
export function withDefaults(column: Column, numParents: number, except: ReadonlySet<number>): ColumnItems {
  const { data, encoding } = column;
  const found = column.offsets(numParents);
  const width = wordsPerValue(encoding);
  const isBytes = encoding === Encoding.bytes;
  const words = new Int32Array(numParents * width + 1);
  const offsets = new Int32Array(numParents + 1);
  let numItems = 0;
  for (let parent = 0; parent < numParents; parent++) {
    const item = found[parent]!;
    const isFound = found[parent + 1]! > item;
    if (isFound || !except.has(parent)) {
      if (isBytes) words[numItems + 1] = isFound ? column.words[item + 1]! : words[numItems]!;
      else if (isFound) words.set(column.words.subarray(item * width, (item + 1) * width), numItems * width);
      numItems++;
    }
    offsets[parent + 1] = numItems;
  }
  return { offsets, numItems, words, data };
}
