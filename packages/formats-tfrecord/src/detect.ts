import type { Format } from "@tfxio/format";
import { type ByteSource, isTfxioError, ProtoCursor, tfRecordWindows } from "@tfxio/wire";
import { anAbortSignal, aReadCompression, assertOptions } from "@tfxio/wire/checks";
import { kernels } from "@tfxio/wire/kernels";
import { sequenceTfrecord, tfrecord } from "./format.js";
import type { TfRecordOptions } from "./options.js";

/** After this many bytes of records, no further chunk is read. A registry reads the same number of bytes to detect a format. */
const PEEKED_BYTES = 4096;
/** Maximum size of a record in bytes during detection. A longer record ends the detection. */
const MAX_PEEKED_RECORD_BYTES: number = 16 * 2 ** 20;
/** Maximum number of records that are examined in one chunk. */
const MAX_PEEKED_RECORDS = 1024;

/** Options of {@link detectTfRecordFormat}. */
export interface DetectTfRecordOptions {
  /** Compression of the source. Default `"auto"`. */
  readonly compression?: TfRecordOptions["compression"] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Detects the format of a source that is known to be a TFRecord file. Returns {@link sequenceTfrecord} if one of the first
 * records has feature lists, otherwise {@link tfrecord}. Some records may lack feature lists, so up to 1,024 records of the first
 * chunk are examined. A chunk has up to 1 MiB. Another chunk is read only if fewer than 4 KiB of records have been examined so
 * far. Ignores damage, which a later read reports.
 * @throws {ArgumentError} `invalid-argument` if an option is invalid.
 * @throws {SourceError} if the source cannot be read.
 */
export async function detectTfRecordFormat(
  source: ByteSource,
  options: DetectTfRecordOptions = {},
): Promise<Format> {
  assertOptions("detectTfRecordFormat", options, { compression: aReadCompression, signal: anAbortSignal });
  try {
    return (await hasFeatureListsAtFirst(source, options)) ? sequenceTfrecord : tfrecord;
  } catch (error) {
    if (isTfxioError(error, "corrupt-record", "truncated-record", "limit-exceeded")) return tfrecord;
    throw error;
  }
}

async function hasFeatureListsAtFirst(source: ByteSource, options: DetectTfRecordOptions): Promise<boolean> {
  const framing = { verifyPayload: false, maxRecordBytes: MAX_PEEKED_RECORD_BYTES };
  const windows = tfRecordWindows(source, { ...options, maxRecordBytes: MAX_PEEKED_RECORD_BYTES });
  let consumed = 0;
  try {
    for (let numBytes = 0; numBytes < PEEKED_BYTES; numBytes += consumed) {
      const window = await windows.next(consumed);
      if (window === null) return false;
      const { bytes } = window;
      const scan = kernels().scanTfRecords(bytes, 0, bytes.length, MAX_PEEKED_RECORDS, framing);
      for (let index = 0; index < scan.numRecords; index++) {
        if (hasFeatureLists(bytes.subarray(scan.starts[index], scan.ends[index]))) return true;
      }
      ({ consumed } = scan);
    }
    return false;
  } finally {
    await windows.close();
  }
}

/** Tags of fields 1 and 2 with wire type LEN. The messages on the path to a feature list have no other fields. */
const FIELD_1 = 0x0a;
const FIELD_2 = 0x12;

/** Returns true if `record` is a well-formed message whose field 2 is a `FeatureLists` message, even an empty one. */
function hasFeatureLists(record: Uint8Array): boolean {
  let isFound = false;
  try {
    const message = new ProtoCursor(record);
    while (!message.isAtEnd) {
      const tag = message.tag();
      if (tag !== FIELD_2) {
        message.skip(tag);
        continue;
      }
      walk(message.message(), FIELD_1, (entry) =>
        walk(entry, FIELD_2, (list) => walk(list, FIELD_1, (feature) => walk(feature, 0, () => {}))),
      );
      isFound = true;
    }
    return isFound;
  } catch (error) {
    if (isTfxioError(error, "malformed-payload")) return false;
    throw error;
  }
}

/** Calls `visit` for each submessage with the tag `inner`, and skips all other fields. */
function walk(message: ProtoCursor, inner: number, visit: (part: ProtoCursor) => void): void {
  while (!message.isAtEnd) {
    const tag = message.tag();
    if (tag === inner) visit(message.message());
    else message.skip(tag);
  }
}
