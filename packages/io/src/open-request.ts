import { ColumnPath, parsePredicate } from "@tfxio/schema";
import type { TfxioOptions } from "./open-options.js";
import type { DataRequest } from "./reading/data-request.js";

/**
 * Returns the options that determine which data is read, with columns as paths and the filter as a predicate.
 * @throws {ArgumentError} `invalid-argument` for a filter string that cannot be parsed.
 */
export function requestOf(options: TfxioOptions): DataRequest {
  const {
    schema,
    unlisted,
    columnForm,
    float64,
    batchBytes,
    splitBytes,
    rawRecordColumn,
    rowPositionColumn,
    filter,
  } = options;
  return {
    schema,
    unlisted,
    columnForm,
    float64,
    batchBytes,
    splitBytes,
    rawRecordColumn,
    rowPositionColumn,
    columns: options.columns?.map((column) =>
      typeof column === "string" ? new ColumnPath([column]) : column,
    ),
    filter: typeof filter === "string" ? parsePredicate(filter) : filter,
  };
}
