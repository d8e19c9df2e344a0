import type { RecordDecoder } from "@tfxio/io";
import { RecordError, UnsupportedError } from "@tfxio/wire/errors";
import { localPathOf } from "../uris.js";
import { dataViewDigest } from "./saved-view.js";
import { dataViewLibrary } from "./struct2tensor.js";

/**
 * Returns the decoder of the DataView in a folder. The folder may be untrusted: loading compares checksums and runs no code from
 * it.
 * @param digest The digest that the view must have. Default: any digest.
 * @throws {UnsupportedError} (`data-views`) if `@tfxio/struct2tensor` is not installed, (`data-view-uri`) for a URI that is not
 * local.
 * @throws {SourceError} `not-found`, `io-failed`
 * @throws {RecordError} `malformed-payload` (`data-view`, `data-view-checksum`, …)
 */
export async function openDataView(uri: string, digest?: string): Promise<RecordDecoder> {
  const folder = localPathOf(uri);
  if (folder === undefined) {
    throw new UnsupportedError(`DataViews are loaded from local folders, found ${uri}.`, {
      feature: "DataViews in stores",
      reason: "data-view-uri",
    });
  }
  const { createRecordDecoder, loadDataView } = await dataViewLibrary();
  const view = await loadDataView(folder);
  if (digest !== undefined) await assertDigest(folder, digest);
  return createRecordDecoder(view);
}

async function assertDigest(folder: string, expected: string): Promise<void> {
  const found = await dataViewDigest(folder);
  if (found === expected) return;
  throw new RecordError(
    "malformed-payload",
    `The DataView at ${folder} must have the digest ${expected}, which it had when it was bound; found ${found}.`,
    { uri: folder, reason: "data-view-checksum" },
  );
}
