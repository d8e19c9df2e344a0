import { type ByteSource, slicesOf, SourceError } from "@tfxio/wire";
import { FRAME_BYTES, HEADER_BYTES, payloadLengthAt } from "./record-header.js";
import { frameOf, type TfRecordIndex } from "./record-index.js";

/** Records whose headers are looked at where versions do not tell that the file is the same. */
const MAX_CHECKED_RECORDS = 16;

/**
 * Refuses an index of other bytes: of a file of another length; or, unless both are known to be of one version, of a file
 * in which some of the records, the first and the last among them, are not where the index says. A copied file has
 * another version and the same records, which is fine: an index tells nothing but where they are.
 * @throws {SourceError} `io-failed` (`source-changed`), and those of the source.
 */
export async function checkIndex(
  index: TfRecordIndex,
  source: ByteSource,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { numRecords, byteLength, version } = index;
  if (source.byteLength !== undefined && source.byteLength !== byteLength) {
    throw changed(source, `the index is of a file of ${byteLength} bytes, and it has ${source.byteLength}`);
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
    throw changed(source, `record ${record} is not at byte ${start}, where the index has it`);
  }
}

/** The error for a file that is not what an index is of. */
export function changed({ uri }: ByteSource, problem: string): SourceError {
  return new SourceError("io-failed", `${uri} has changed since it was indexed: ${problem}.`, {
    uri,
    reason: "source-changed",
  });
}
