import { type ErrorLocation, RecordError } from "../errors.js";
import { KernelStatus, kernels, maskCrc32c } from "../kernels/index.js";

/** Number of bytes before a payload: its length (uint64), then the masked CRC-32C of those eight bytes, both little-endian. */
export const HEADER_BYTES = 12;
/** Number of bytes after a payload, which hold its masked CRC-32C. */
export const FOOTER_BYTES = 4;

/**
 * Returns the size in bytes of the whole frame whose header is at `at`. The caller must have verified the header's checksum, and
 * that the length is below 4 GiB.
 */
export function frameBytes(bytes: Uint8Array, at: number): number {
  const low = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  return HEADER_BYTES + (low >>> 0) + FOOTER_BYTES;
}

/**
 * Checks the header in the first 12 bytes of `bytes`. Returns `ok`, `lengthCrc` or `recordTooLong`. Does not check whether the
 * payload is present.
 */
export function headerStatus(bytes: Uint8Array, maxRecordBytes: number): KernelStatus {
  const options = { verifyPayload: false, maxRecordBytes };
  return kernels().scanTfRecords(bytes, 0, HEADER_BYTES, 1, options).status;
}

/** Returns true if `head` begins with a length and its matching checksum. Random bytes match with a probability of 1 in 2^32. */
export function isTfRecord(head: Uint8Array): boolean {
  return (
    head.length >= HEADER_BYTES && headerStatus(head, Number.POSITIVE_INFINITY) !== KernelStatus.lengthCrc
  );
}

/** Converts a kernel's error status to the error for the frame at `location`. */
export function frameError(
  status: KernelStatus,
  maxRecordBytes: number,
  location: ErrorLocation,
): RecordError {
  switch (status) {
    case KernelStatus.lengthCrc:
      return new RecordError(
        "corrupt-record",
        `The length's checksum does not match, in ${where(location)}.`,
        {
          ...location,
          reason: "length-crc",
        },
      );
    case KernelStatus.dataCrc:
      return new RecordError(
        "corrupt-record",
        `The payload's checksum does not match, in ${where(location)}.`,
        {
          ...location,
          reason: "payload-crc",
        },
      );
    default: {
      const limit =
        maxRecordBytes < 2 ** 32
          ? `must not be longer than maxRecordBytes (${maxRecordBytes} bytes)`
          : "must be shorter than 4 GiB";
      return new RecordError("limit-exceeded", `The payload of ${where(location)} ${limit}.`, {
        ...location,
        reason: "record-length",
      });
    }
  }
}

/**
 * Returns the error for a frame of which only `numBytes` bytes exist.
 * @param needed Size of the frame, or of the header if the header is incomplete.
 */
export function truncatedError(numBytes: number, needed: number, location: ErrorLocation): RecordError {
  const part = numBytes < HEADER_BYTES ? "header" : numBytes < needed - FOOTER_BYTES ? "payload" : "footer";
  return new RecordError(
    "truncated-record",
    `The file ends within the ${part}, after ${numBytes} of ${needed} bytes, in ${where(location)}.`,
    { ...location, reason: `record-${part}` },
  );
}

/** Returns the error for a record that crosses the end of a part of the source, at byte `end`. */
export function partEndError(end: number, location: ErrorLocation): RecordError {
  return new RecordError(
    "corrupt-record",
    `The part to be read ends at byte ${end}, within ${where(location)}. A part must end between records.`,
    { ...location, reason: "framing" },
  );
}

/**
 * Returns the payload of the single record in `frame`, as a view, after verifying both checksums.
 * @param location Position of the frame, for errors.
 * @throws {RecordError} `corrupt-record` (`length-crc`, `payload-crc`, or `framing` if bytes follow the record),
 *   `truncated-record`, or `limit-exceeded` (`record-length`) if the payload has 4 GiB or more.
 */
export function decodeTfRecord(frame: Uint8Array, location: ErrorLocation): Uint8Array {
  if (frame.length < HEADER_BYTES) throw truncatedError(frame.length, HEADER_BYTES, location);
  const options = { verifyPayload: true, maxRecordBytes: Number.POSITIVE_INFINITY };
  const { status, numRecords, consumed } = kernels().scanTfRecords(frame, 0, frame.length, 1, options);
  if (status !== KernelStatus.ok) throw frameError(status, options.maxRecordBytes, location);
  if (numRecords === 0) throw truncatedError(frame.length, frameBytes(frame, 0), location);
  if (consumed === frame.length) return frame.subarray(HEADER_BYTES, -FOOTER_BYTES);
  throw new RecordError("corrupt-record", `Extra bytes follow ${where(location)}.`, {
    ...location,
    reason: "framing",
  });
}

/** Writes the frame of `payload` into `target` at offset `at`. `target` must have room. Returns the offset after the frame. */
export function writeFrame(target: Uint8Array, at: number, payload: Uint8Array): number {
  const view = new DataView(target.buffer, target.byteOffset, target.byteLength);
  const kernel = kernels();
  view.setUint32(at, payload.length, true);
  view.setUint32(at + 4, Math.floor(payload.length / 2 ** 32), true);
  view.setUint32(at + 8, maskCrc32c(kernel.crc32c(target, at, at + 8)), true);
  target.set(payload, at + HEADER_BYTES);
  const end = at + HEADER_BYTES + payload.length;
  view.setUint32(end, maskCrc32c(kernel.crc32c(payload)), true);
  return end + FOOTER_BYTES;
}

function where({ uri, recordIndex, byteOffset }: ErrorLocation): string {
  return `record ${recordIndex} of ${uri} at byte ${byteOffset}`;
}
