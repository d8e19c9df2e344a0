import type { HostDense, HostRagged } from "../host/host-column.js";

/** A batch of structs on the host: fields by name, all with the same rows and enclosing lists. */
export interface HostStructured {
  readonly kind: "structured";
  /** Number of rows of the batch. */
  readonly numRows: number;
  /**
   * Row splits of the enclosing lists, outermost first; empty if each row is one struct. The row splits of every field begin with
   * these same arrays.
   */
  readonly nestedRowSplits: readonly Int32Array[];
  /**
   * Fields by name. A null list counts as empty. A null struct makes each of its fields null. List fields then become empty. For
   * a field with a single value, `toHost` throws `not-convertible` (`null-value`), because a tensor cannot hold nulls. Put
   * structs that may be missing into lists of at most one element.
   */
  readonly fields: Readonly<Record<string, HostStructuredField>>;
  /** Dtype that the representation requests for row splits. The arrays are int32 either way. */
  readonly rowSplitsDtype: "int32" | "int64";
}

/**
 * A field of structs. It is structured if it holds structs. Otherwise, it is dense if each row has one value, and ragged if its
 * values lie inside lists.
 */
export type HostStructuredField = HostDense | HostRagged | HostStructured;
