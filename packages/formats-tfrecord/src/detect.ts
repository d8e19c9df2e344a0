import type { Format } from "@tfxio/format";
import { type ByteSource, isTfxioError, ProtoCursor, tfRecordWindows } from "@tfxio/wire";
import { anAbortSignal, aReadCompression, assertOptions } from "@tfxio/wire/checks";
import { kernels } from "@tfxio/wire/kernels";
import { sequenceTfrecord, tfrecord } from "./format.js";
import type { TfRecordOptions } from "./options.js";

/** Further chunks are looked at up to here: as much as a registry reads of a source to tell its format. */
const PEEKED_BYTES = 4096;
/** A first record of more is not waited for. */
const MAX_PEEKED_RECORD_BYTES: number = 16 * 2 ** 20;
/** Of one chunk. */
const MAX_PEEKED_RECORDS = 1024;

/** Options of {@link detectTfRecordFormat}. */
export interface DetectTfRecordOptions {
  /** How the source is compressed. Default `"auto"`. */
  readonly compression?: TfRecordOptions["compression"] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The format of a source that is known to be a TFRecord file: {@link sequenceTfrecord} if one of the first records has
 * feature lists, else {@link tfrecord}. Looks at the first chunk, of up to 1 MiB: only some records may have feature lists.
 * Damaged records are left to the reader to report.
 * @throws {SourceError} of the source. {@link ArgumentError} `invalid-argument`.
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

/** Tags of fields 1 and 2 with a length: `SequenceExample` and `FeatureLists` have no others. */
const FIELD_1 = 0x0a;
const FIELD_2 = 0x12;

/** True for a well-formed message whose field 2 is a `FeatureLists`, be it empty. */
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

/** Goes through a message, and with `visit` into its fields of this tag. */
function walk(message: ProtoCursor, inner: number, visit: (part: ProtoCursor) => void): void {
  while (!message.isAtEnd) {
    const tag = message.tag();
    if (tag === inner) visit(message.message());
    else message.skip(tag);
  }
}
