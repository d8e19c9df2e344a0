import type { ReadOptions, Split } from "@tfxio/format";

/** Reads one split. `Item` is a record batch or a leased batch. */
export type ReadSplit<Item> = (split: Split, options: ReadOptions) => AsyncIterable<Item>;
