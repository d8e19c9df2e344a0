import { type Compression, type ErrorLocation, RecordError } from "@tfxio/wire";
import { aReadCompression, assertOptions } from "@tfxio/wire/checks";
import type { RecordContainer } from "../records/record-format-parts.js";
import { recordBlocks } from "./record-blocks.js";
import { Bounds } from "./record-bounds.js";

/** Options of {@link sizeDelimitedContainer}. */
export interface SizeDelimitedOptions {
  /** `"auto"` (default) detects gzip by its first bytes. */
  readonly compression: Compression | "auto";
}

/** Length of the longest 64-bit varint, in bytes. */
const MAX_VARINT_BYTES = 10;

/**
 * A container whose records are each preceded by their length as a varint, as written by protobuf's `writeDelimitedTo`.
 * Reading throws {@link RecordError} `corrupt-record` (`record-length`) for a length that is not a varint, `limit-exceeded`
 * (`record-length`) for a length above `maxRecordBytes`, and `truncated-record` for a record that is cut off.
 */
export const sizeDelimitedContainer: RecordContainer<SizeDelimitedOptions> = {
  id: "size-delimited",
  extensions: [],
  defaults: { compression: "auto" },
  assertOptions: (options) => assertOptions("size-delimited", options, { compression: aReadCompression }),
  blocks(source, context) {
    const { maxRecordBytes } = context.limits;
    const { uri } = source;
    return recordBlocks(
      source,
      context,
      { compression: context.options.compression, recordName: "record" },
      (bytes, { byteOffset, recordIndex, expectedRecords }) => {
        const bounds = new Bounds(expectedRecords);
        let at = 0;
        for (;;) {
          // Fast path for a length that takes one byte, because many records are shorter than 128 bytes.
          const length = bytes[at]!;
          if (length < 0x80 && length <= maxRecordBytes && at + length < bytes.length) {
            bounds.add(at + 1, at + 1 + length, 1);
            at += 1 + length;
            continue;
          }
          const header = varintAt(bytes, at);
          if (header === null) break;
          if (header === undefined || header.value > maxRecordBytes) {
            const place = { uri, recordIndex: recordIndex + bounds.length, byteOffset: byteOffset + at };
            return bounds.found(at, lengthError(header?.value, maxRecordBytes, place));
          }
          const start = at + header.numBytes;
          if (start + header.value > bytes.length) break;
          bounds.add(start, start + header.value, header.numBytes);
          at = start + header.value;
        }
        return bounds.found(at);
      },
    );
  },
};

/** Creates the error for a length that is not a varint (`declared` is undefined) or is above the limit. */
function lengthError(
  declared: number | undefined,
  limit: number,
  place: Required<ErrorLocation>,
): RecordError {
  const { uri, recordIndex, byteOffset } = place;
  const where = `${uri}: record ${recordIndex} at byte ${byteOffset}`;
  return declared === undefined
    ? new RecordError("corrupt-record", `${where} must begin with its length as a varint.`, {
        reason: "record-length",
        ...place,
      })
    : new RecordError(
        "limit-exceeded",
        `${where} must not be longer than maxRecordBytes (${limit} bytes), found a length of ${declared}.`,
        {
          reason: "record-length",
          ...place,
        },
      );
}

/** Reads a varint. Returns null if the bytes end within it, and undefined if it is longer than ten bytes. */
function varintAt(
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly numBytes: number } | null | undefined {
  let value = 0;
  for (let index = 0; index < MAX_VARINT_BYTES; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return null;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, numBytes: index + 1 };
  }
  return undefined;
}
