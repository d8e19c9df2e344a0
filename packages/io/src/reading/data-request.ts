import type { ReadRequest } from "@tfxio/format";
import type { RowSample } from "./row-sample.js";

/** Form of the columns that a TFXIO returns. */
export type WantedForm = "lists" | "stored";

/**
 * The complete request to a TFXIO, before it is divided between the format and the steps applied to its batches. JSON-safe except
 * for class instances.
 */
export interface DataRequest extends Omit<ReadRequest, "signal" | "isSample"> {
  /** Default `"lists"`. */
  readonly columnForm?: WantedForm | undefined;
  /** True if the schema was inferred from the data. It then describes table columns without narrowing them. Default false. */
  readonly isInferred?: boolean | undefined;
  /** Conversion of float64 to float32 where the schema says FLOAT. `"float32"` (default) rejects values that would change. */
  readonly float64?: "float32" | "float32-lossy" | undefined;
  /** Part of the rows to keep, for training or validation. Default: all rows. */
  readonly sample?: RowSample | undefined;
}

/** Returns the names of the columns that a request adds to the data. */
export function addedColumns({ rawRecordColumn, rowPositionColumn }: DataRequest): readonly string[] {
  return [rawRecordColumn, rowPositionColumn].filter((name): name is string => name !== undefined);
}
