import type { ContainerContext, RecordIndex } from "@tfxio/format";
import { type ByteSource, RecordError, type RecordBlock, UnsupportedError } from "@tfxio/wire";
import type { TfRecordOptions } from "../options.js";
import { readIndexBeside } from "./index-beside.js";
import { readTfRecordsAt } from "./read-records-at.js";
import { FRAME_BYTES, HEADER_BYTES } from "./record-header.js";
import { frameOf, indexTfRecords, type TfRecordIndex } from "./record-index.js";

/**
 * Opens the index beside the file if `index` is `"beside"`. Otherwise, creates an index by reading the whole file once.
 * @throws {UnsupportedError} `unsupported` (`no-random-access`) if the source is a stream. Also throws the errors of {@link
 *   readIndexBeside} or of {@link indexTfRecords}. The index's `read` rejects with the errors of {@link readTfRecordsAt}, and
 *   with `limit-exceeded` (`record-length`).
 */
export async function openRecordIndex(
  source: ByteSource,
  { options, limits, signal }: Pick<ContainerContext<TfRecordOptions>, "options" | "limits" | "signal">,
): Promise<RecordIndex> {
  const { uri, byteLength } = source;
  if (byteLength === undefined) {
    throw new UnsupportedError(`${uri} is a stream, whose records can be read only in order.`, {
      feature: "random access to streams",
      reason: "no-random-access",
    });
  }
  const { maxRecordBytes } = limits;
  const index =
    options.index === "beside"
      ? await readIndexBeside(source, { limits, signal })
      : await indexTfRecords(source, { maxRecordBytes, signal });
  return {
    numRecords: index.numRecords,
    async read(recordIndices, reading) {
      const numbers = [...recordIndices];
      for (const number of numbers) assertLength(index, number, { uri, maxRecordBytes });
      const payloads = await readTfRecordsAt(source, index, numbers, reading);
      return payloads.map((bytes, place) => blockOf(bytes, index, numbers[place]!, uri));
    },
  };
}

/** Returns a block of one record. Borrows `bytes`, which is the payload. */
function blockOf(bytes: Uint8Array, index: TfRecordIndex, record: number, uri: string): RecordBlock {
  return {
    uri,
    bytes,
    numRecords: 1,
    starts: new Uint32Array(1),
    ends: Uint32Array.of(bytes.length),
    firstRecordIndex: record,
    byteOffset: frameOf(index, record).start + HEADER_BYTES,
    headerBytes: HEADER_BYTES,
  };
}

/**
 * Checks a record's length before memory is allocated for the record, since an index may claim any length.
 * @throws {RecordError} `limit-exceeded` (`record-length`) if it exceeds `maxRecordBytes`.
 */
function assertLength(
  index: TfRecordIndex,
  record: number,
  { uri, maxRecordBytes }: { readonly uri: string; readonly maxRecordBytes: number },
): void {
  const { start, end } = frameOf(index, record);
  if (end - start <= maxRecordBytes + FRAME_BYTES) return;
  throw new RecordError(
    "limit-exceeded",
    `${uri}, record ${record} at byte ${start}: its payload has ${end - start - FRAME_BYTES} bytes according to the index, more than maxRecordBytes (${maxRecordBytes} bytes).`,
    { reason: "record-length", uri, recordIndex: record, byteOffset: start },
  );
}
