import type { Dictionaries } from "../columns/dictionaries.js";
import type { BatchHeader } from "../metadata/message.js";
import type { StoredColumn, StoredSchema } from "../metadata/stored-column.js";
import type { StoredBatch } from "./stored-batch.js";

/** A source whose batches can be read one by one. */
export interface BatchIndex {
  readonly schema: StoredSchema;
  /** The byte range of each batch, in order. */
  readonly extents: readonly Extent[];
  /** Headers of batches `first` to `end` (exclusive). */
  headers(first: number, end: number, signal: AbortSignal | undefined): Promise<readonly BatchHeader[]>;
  /** @param options.isWhole loads the body with the header, since all of it will be read. */
  batch(
    index: number,
    dictionaries: Dictionaries,
    options: { readonly isWhole: boolean; readonly signal: AbortSignal | undefined },
  ): Promise<StoredBatch>;
  /** The dictionaries that columns need. */
  dictionaries(columns: readonly StoredColumn[], signal: AbortSignal | undefined): Promise<Dictionaries>;
}

/** Bytes of the stored file: the first, and the one after the last. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}
