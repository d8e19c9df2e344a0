import type { RecordDecoder } from "@tfxio/io";
import { RecordError, UnsupportedError } from "@tfxio/wire/errors";
import { localPathOf } from "../uris.js";
import type { ModelRuntime } from "./model-runtime.js";
import { dataViewDigest } from "./saved-view.js";
import { dataViewLibrary } from "./struct2tensor.js";

/** Options of {@link openDataView}. */
export interface OpenDataViewOptions {
  /** The digest that the view must have, in hexadecimal. Default: any digest. */
  readonly digest?: string | undefined;
  /** Runs the models of the view, as in `loadDataView`. Required if the view calls a model. */
  readonly models?: ModelRuntime | undefined;
}

/**
 * Loads the DataView in a folder and returns its decoder. The folder may be untrusted: loading verifies its checksums and runs
 * no code from it. If the folder has models, the runtime `models` runs them.
 * @throws {UnsupportedError} (`data-views`) if `@tfxio/struct2tensor` is not installed, (`data-view-uri`) if the URI is not
 * local.
 * @throws {SourceError} `not-found` if the folder does not exist, `io-failed` if it cannot be read.
 * @throws {RecordError} `malformed-payload` (`data-view`, `data-view-checksum`, …) if the folder has no view, or one that is
 * damaged or has another digest.
 */
export async function openDataView(
  uri: string,
  { digest, models }: OpenDataViewOptions = {},
): Promise<RecordDecoder> {
  const folder = localPathOf(uri);
  if (folder === undefined) {
    throw new UnsupportedError(`A DataView must be in a local folder, found ${uri}.`, {
      feature: "DataViews in stores",
      reason: "data-view-uri",
    });
  }
  const { createRecordDecoder, loadDataView } = await dataViewLibrary();
  const view = await loadDataView(folder, { models });
  if (digest !== undefined) await assertDigest(folder, digest);
  return createRecordDecoder(view);
}

async function assertDigest(folder: string, expected: string): Promise<void> {
  const found = await dataViewDigest(folder);
  if (found === expected) return;
  throw new RecordError(
    "malformed-payload",
    `The DataView at ${folder} has changed since it was created: its digest must be ${expected}, found ${found}.`,
    { uri: folder, reason: "data-view-checksum" },
  );
}
