import { type ByteSource, slicesOf, SourceError } from "@tfxio/wire";
import { FRAME_BYTES, HEADER_BYTES, payloadLengthAt } from "./record-header.js";
import { frameOf, type TfRecordIndex } from "./record-index.js";

/** Maximum number of records whose headers are checked if versions cannot prove that the file is unchanged. */
const MAX_CHECKED_RECORDS = 16;

/**
 * Checks that an index fits a file. The length of the file, if known, must be the one in the index. Unless the file is known
 * to have the version in the index, a sample of records, including the first and the last, must have the offsets and lengths in
 * the index. A copy of the file has a different version but the same records, so the index stays usable for the copy.
 * @throws {SourceError} `io-failed` (`source-changed`) if the index does not fit. Errors of the source are passed on.
 */
export async function checkIndex(
  index: TfRecordIndex,
  source: ByteSource,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { numRecords, byteLength, version } = index;
  if (source.byteLength !== undefined && source.byteLength !== byteLength) {
    throw changed(source, `it has ${source.byteLength} bytes, but the indexed file had ${byteLength}`);
  }
  if (version !== undefined && version === source.version) return;
  const numChecked = Math.min(numRecords, MAX_CHECKED_RECORDS);
  const records = Array.from({ length: numChecked }, (_, place) =>
    numChecked === 1 ? 0 : Math.round((place * (numRecords - 1)) / (numChecked - 1)),
  );
  const ranges = records.map((record) => {
    const { start } = frameOf(index, record);
    return { start, end: start + HEADER_BYTES };
  });
  const headers = await slicesOf(source, ranges, { signal });
  for (const [place, record] of records.entries()) {
    const { start, end } = frameOf(index, record);
    if (payloadLengthAt(headers[place] as Uint8Array, 0) === end - start - FRAME_BYTES) continue;
    throw changed(source, `the index puts record ${record} at byte ${start}, where no such record begins`);
  }
}

/** Returns the error for a file that does not match its index. */
export function changed({ uri }: ByteSource, problem: string): SourceError {
  return new SourceError("io-failed", `${uri} has changed since it was indexed: ${problem}.`, {
    uri,
    reason: "source-changed",
  });
}
