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
    if (starts[index]! <= ends[index]! && ends[index]! <= numBytes) continue;
    const record = `record ${block.firstRecordIndex + index} of ${block.uri}`;
    throw unusableArgument(
      "block",
      `must contain its records in its ${numBytes} bytes, but ${record} starts at ${starts[index]} and ends at ${ends[index]}`,
      { reason: "record-bounds" },
    );
  }
}
