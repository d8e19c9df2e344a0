import type { ReadRequest } from "@tfxio/format";
import type { RowSample } from "./row-sample.js";

/** Form of the columns that a TFXIO gives. */
export type WantedForm = "lists" | "stored";

/** What is read of the data, before it is divided between the format and the layer above it. JSON-safe but for classes. */
export interface DataRequest extends Omit<ReadRequest, "signal" | "isSample"> {
  /** Default `"lists"`. */
  readonly columnForm?: WantedForm | undefined;
  /** The schema was inferred from the data: it describes the columns of tables, and does not narrow them. Default false. */
  readonly isInferred?: boolean | undefined;
  /** How float64 becomes float32 where a schema says FLOAT: `"float32"` (default) refuses values that change. */
  readonly float64?: "float32" | "float32-lossy" | undefined;
  /** Keeps a part of the rows, for training or validation. Default: all. */
  readonly sample?: RowSample | undefined;
}

/** Names of the columns that a request adds to those of the data. */
export function addedColumns({ rawRecordColumn, rowPositionColumn }: DataRequest): readonly string[] {
  return [rawRecordColumn, rowPositionColumn].filter((name): name is string => name !== undefined);
}
