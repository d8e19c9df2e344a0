import { aName, assertArgument } from "@tfxio/wire/checks";
import { Dataset } from "./dataset.js";
import { storedPlan } from "./stored/stored-stream.js";

/**
 * Creates a dataset of the elements that {@link Dataset.save} wrote to a folder (Node only). Elements are rows of host columns:
 * numbers are float32, bigints int64, and text is UTF-8 bytes.
 * @throws {ArgumentError} `invalid-argument` unless `folder` is a non-empty string.
 * @throws {SourceError} `not-found` for a folder without a manifest. The iterator throws it.
 * @throws {UnsupportedError} `unsupported` (`file-system`) in browsers. The iterator throws it.
 * @throws {RecordError} `corrupt-record` (`manifest`) for a damaged manifest. The iterator throws it, and also any error from
 *   reading the Arrow file in the folder.
 */
export function fromSaved(folder: string): Dataset<unknown> {
  assertArgument("folder", folder, aName, "fromSaved");
  return new Dataset(storedPlan(folder));
}
