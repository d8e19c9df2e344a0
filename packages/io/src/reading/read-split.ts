import type { ReadOptions, Split } from "@tfxio/format";

/** Reads one split. */
export type ReadSplit<Item> = (split: Split, options: ReadOptions) => AsyncIterable<Item>;
