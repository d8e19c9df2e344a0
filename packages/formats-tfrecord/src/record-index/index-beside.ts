import type { Limits } from "@tfxio/format";
import {
  type ByteSource,
  fileSource,
  openSources,
  RecordError,
  SourceError,
  UnsupportedError,
} from "@tfxio/wire";
import { checkIndex } from "./check-index.js";
import { decodeTfRecordIndex } from "./index-bytes.js";
import type { TfRecordIndex } from "./record-index.js";

/**
 * Reads the index beside a file. For `data.tfrecord`, this is `data.tfrecord.index`. For a URL, `.index` is appended to the path.
 * @throws {SourceError} `not-found` if there is no index, `io-failed` (`source-changed`) if it does not match the file.
 * @throws {RecordError} `corrupt-record` (`record-index`) if the index is damaged, `limit-exceeded` (`metadata-length`) if it is
 *   longer than `maxMetadataBytes`.
 * @throws {UnsupportedError} `unsupported` (`index-beside`) if the source has no path or URL.
 */
export async function readIndexBeside(
  source: ByteSource,
  {
    limits: { maxMetadataBytes },
    signal,
  }: { readonly limits: Limits; readonly signal: AbortSignal | undefined },
): Promise<TfRecordIndex> {
  const sidecar = await openBeside(source, signal);
  const { uri, byteLength } = sidecar;
  const bytes = await sidecar.slice(0, Math.min(byteLength ?? Infinity, maxMetadataBytes + 1), { signal });
  if (bytes.length > maxMetadataBytes) {
    throw new RecordError(
      "limit-exceeded",
      `${uri} is longer than ${maxMetadataBytes} bytes (maxMetadataBytes).`,
      {
        reason: "metadata-length",
        uri,
      },
    );
  }
  const index = decodeTfRecordIndex(bytes, uri);
  await checkIndex(index, source, { signal });
  return index;
}

async function openBeside({ origin, uri }: ByteSource, signal: AbortSignal | undefined): Promise<ByteSource> {
  if (typeof origin !== "string") {
    throw new UnsupportedError(`${uri} has no path or URL, so there can be no index beside it.`, {
      feature: "indexes beside files",
      reason: "index-beside",
    });
  }
  if (!/^https?:/i.test(origin)) return fileSource(`${origin}.index`);
  const url = new URL(origin);
  url.pathname += ".index";
  const [sidecar] = await openSources(url.href, { signal });
  if (sidecar !== undefined) return sidecar;
  throw new SourceError("not-found", `The index ${url.href} does not exist.`, { uri: url.href });
}
