import { aName, assertArgument } from "@tfxio/wire/checks";
import { Dataset } from "./dataset.js";
import { storedPlan } from "./stored/stored-stream.js";

/**
 * A dataset of the elements that {@link Dataset.save} has written into a folder (Node only). They come as rows of host
 * columns: numbers are float32, bigints int64, and text is its bytes.
 * @throws {ArgumentError} `invalid-argument` when `folder` is no text. From the iterator {@link SourceError} `not-found` for a
 *   folder without a manifest, {@link RecordError} `corrupt-record` (`manifest`) for a damaged one, and errors of its Arrow
 *   file.
 */
export function fromSaved(folder: string): Dataset<unknown> {
  assertArgument("folder", folder, aName, "fromSaved");
  return new Dataset(storedPlan(folder));
}
