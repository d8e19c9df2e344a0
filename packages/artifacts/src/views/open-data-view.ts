import type { RecordDecoder } from "@tfxio/io";
import { UnsupportedError } from "@tfxio/wire/errors";
import { localPathOf } from "../uris.js";
import { dataViewLibrary } from "./struct2tensor.js";

/**
 * The decoder of the DataView in a folder, which may come from anybody: loading compares checksums and runs no code of the folder.
 * @throws {UnsupportedError} (`data-views`) without `@tfxio/struct2tensor`; (`data-view-uri`) for a URI that is not a local folder.
 * @throws {SourceError} `not-found`, `io-failed`; {@link RecordError} `malformed-payload` (`data-view`, `data-view-checksum`, …).
 */
export async function openDataView(uri: string): Promise<RecordDecoder> {
  const folder = localPathOf(uri);
  if (folder === undefined) {
    throw new UnsupportedError(`DataViews are loaded from local folders, found ${uri}.`, {
      feature: "DataViews in stores",
      reason: "data-view-uri",
    });
  }
  const { createRecordDecoder, loadDataView } = await dataViewLibrary();
  return createRecordDecoder(await loadDataView(folder));
}
