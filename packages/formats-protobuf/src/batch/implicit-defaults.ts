import { Encoding, wordsPerValue } from "../kernels/encoding.js";
import type { ColumnItems } from "../kernels/column-items.js";

/** Parameters of {@link withDefaults}. */
export interface DefaultsContext {
  readonly encoding: Encoding;
  readonly numParents: number;
  /** Parents that do not get a default: rows of damaged records. */
  readonly except: ReadonlySet<number>;
}

/**
 * Returns the items of a singular column, with a zero or an empty byte string for each parent that has no item and is not in
 * `except`.
 */
export function withDefaults(
  items: ColumnItems,
  { encoding, numParents, except }: DefaultsContext,
): ColumnItems {
  const { data, starts: found } = items;
  const width = wordsPerValue(encoding);
  const isBytes = encoding === Encoding.bytes;
  const words = new Int32Array(numParents * width + 1);
  const starts = new Int32Array(numParents);
  let numItems = 0;
  for (let parent = 0; parent < numParents; parent++) {
    starts[parent] = numItems;
    const item = found[parent] ?? items.numItems;
    const isFound = (found[parent + 1] ?? items.numItems) > item;
    if (isFound || !except.has(parent)) {
      if (isBytes) words[numItems + 1] = isFound ? items.words[item + 1]! : words[numItems]!;
      else if (isFound) words.set(items.words.subarray(item * width, (item + 1) * width), numItems * width);
      numItems++;
    }
  }
  return { starts, numItems, words, data };
}
