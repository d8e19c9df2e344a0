import type { Dictionaries } from "../columns/dictionaries.js";
import type { BatchHeader } from "../metadata/message.js";
import type { StoredColumn, StoredSchema } from "../metadata/stored-column.js";
import type { StoredBatch } from "./stored-batch.js";

/** A source with random access to its batches. */
export interface BatchIndex {
  readonly schema: StoredSchema;
  /** The byte range of each batch, in order. */
  readonly extents: readonly Extent[];
  /** Returns the headers of batches `first` to `end` (exclusive). */
  headers(first: number, end: number, signal: AbortSignal | undefined): Promise<readonly BatchHeader[]>;
  /**
   * Reads the header of batch number `index`, and returns the batch.
   * @param options.isWhole true if all of the body will be read. The body can then be loaded together with the header.
   */
  batch(
    index: number,
    dictionaries: Dictionaries,
    options: { readonly isWhole: boolean; readonly signal: AbortSignal | undefined },
  ): Promise<StoredBatch>;
  /** Returns the dictionaries that the columns need. */
  dictionaries(columns: readonly StoredColumn[], signal: AbortSignal | undefined): Promise<Dictionaries>;
}

/** A byte range of the stored file; the end is exclusive. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}
