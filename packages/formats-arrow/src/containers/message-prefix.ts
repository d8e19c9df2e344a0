import type { Limits } from "@tfxio/format";
import type { FlatPlace } from "../flatbuffer/flat-table.js";
import { assertWithin, noMessage } from "../metadata/damage.js";

const CONTINUATION = -1;
/** Size in bytes of the continuation marker, and of the length after it. */
export const PREFIX_BYTES = 4;

/** True for the continuation marker, the four bytes before the length of a message. Arrow did not write it before 0.15. */
export function isContinuation(bytes: Uint8Array): boolean {
  return int32At(bytes) === CONTINUATION;
}

/**
 * Returns the length of a message's metadata in bytes; 0 at the end of a stream.
 * @throws {RecordError} `corrupt-record` (`message`) if no message begins here; `limit-exceeded` (`metadata-length`).
 */
export function metadataLength(bytes: Uint8Array, place: FlatPlace, { maxMetadataBytes }: Limits): number {
  const length = int32At(bytes);
  if (length < 0 || length > MAX_PLAUSIBLE_BYTES) throw noMessage(place);
  assertWithin(length, maxMetadataBytes, { place, what: "the metadata", reason: "metadata-length" });
  return length;
}

/** Longest plausible metadata, in bytes. Printable text that is read as a length yields a larger or a negative number. */
const MAX_PLAUSIBLE_BYTES = 2 ** 29;

function int32At(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, PREFIX_BYTES).getInt32(0, true);
}
