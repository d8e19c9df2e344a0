import type { ReadRequest } from "@tfxio/format";
import type { RowSample } from "./row-sample.js";

/** Form of the columns that a TFXIO returns; see {@link TfxioOptions.columnForm}. */
export type WantedForm = "lists" | "stored";

/**
 * The complete request to a TFXIO. One part is passed to the format; the remaining part is applied to the format's batches.
 * JSON-safe, except for `columns`, `schema`, `filter` and `sample.by`.
 */
export interface DataRequest extends Omit<ReadRequest, "signal" | "isSample"> {
  /** Default `"lists"`. */
  readonly columnForm?: WantedForm | undefined;
  /** True if the schema was inferred from the data. It then converts no values, so float64, for example, stays float64. Default
   * false. */
  readonly isInferred?: boolean | undefined;
  /**
   * Conversion of float64 to float32 where the schema has the type FLOAT. `"float32"` (default) rejects values that float32
   * cannot hold exactly; `"float32-lossy"` rounds them.
   */
  readonly float64?: "float32" | "float32-lossy" | undefined;
  /** Part of the rows to keep, for training, validation or testing. Default: all rows. */
  readonly sample?: RowSample | undefined;
}

/** Returns the names of the columns that a request adds to the data: raw records and row positions. */
export function addedColumns({ rawRecordColumn, rowPositionColumn }: DataRequest): readonly string[] {
  return [rawRecordColumn, rowPositionColumn].filter((name): name is string => name !== undefined);
}
