import type { RecordBlock } from "../record-block.js";
import { unusableArgument } from "./assert-argument.js";

/**
 * Checks that each record from index `from` to `to` (exclusive) does not end before its start, and ends within the bytes of the
 * block. Without this check, a kernel would decode bytes of earlier input.
 * @throws {ArgumentError} `invalid-argument` (`record-bounds`).
 */
export function assertRecordBounds(block: RecordBlock, from: number, to: number): void {
  const { bytes, starts, ends } = block;
  const numBytes = bytes.length;
  for (let index = from; index < to; index++) {
    // Comparing with `<=` also rejects undefined, the result of reading past the end of an array.
    const start = starts[index]!;
    const end = ends[index]!;
    if (start <= end && end <= numBytes) continue;
    const record = `record ${block.firstRecordIndex + index} of ${block.uri}`;
    const size = numBytes === 1 ? "1 byte" : `${numBytes} bytes`;
    throw unusableArgument(
      "block",
      start === undefined || end === undefined
        ? `must have an entry for ${record} at index ${index} of starts and ends, ` +
            `found lengths ${starts.length} and ${ends.length}`
        : `has ${size}, but ${record} starts at ${start} and ends at ${end}; ` +
            "a record must end within the block, and not before its own start",
      { reason: "record-bounds" },
    );
  }
}
