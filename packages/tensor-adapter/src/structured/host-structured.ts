import type { HostDense, HostRagged } from "../host/host-column.js";

/** A batch of structs on the host: fields by name, all with the same rows and lists around them. */
export interface HostStructured {
  readonly kind: "structured";
  /** Number of rows of the batch. */
  readonly numRows: number;
  /**
   * Lists around these structs, outermost first; empty for a struct per row. Every field begins with the same row
   * splits, the very same arrays.
   */
  readonly nestedRowSplits: readonly Int32Array[];
  /**
   * A null list is as an empty one. A null struct has null fields: those that are lists are empty; one that is a single
   * value makes the row `not-convertible` (`null-value`), as a tensor cannot leave a place empty. Structs that may be
   * missing are read where they stand in a list of their own, of one or none.
   */
  readonly fields: Readonly<Record<string, HostStructuredField>>;
  readonly rowSplitsDtype: "int32" | "int64";
}

/** A field of structs: dense only where there is one value per row, ragged below lists. */
export type HostStructuredField = HostDense | HostRagged | HostStructured;
