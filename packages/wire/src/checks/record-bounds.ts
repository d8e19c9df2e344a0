import type { RecordBlock } from "../record-block.js";
import { unusableArgument } from "./assert-argument.js";

/**
 * Checks that the records `from` to `to` (exclusive) of a block lie within its bytes. Without this check, a kernel would decode
 * bytes of earlier input.
 * @throws {ArgumentError} `invalid-argument` (`record-bounds`).
 */
export function assertRecordBounds(block: RecordBlock, from: number, to: number): void {
  const { bytes, starts, ends } = block;
  const numBytes = bytes.length;
  for (let index = from; index < to; index++) {
    // Comparing with `<=` also rejects undefined, the result of reading past the end of an array.
    if (starts[index]! <= numBytes && ends[index]! <= numBytes) continue;
    const record = `record ${block.firstRecordIndex + index} of ${block.uri}`;
    throw unusableArgument(
      "block",
      `must contain its records, but ${record} has start ${starts[index]} and end ${ends[index]}, and the block has only ${numBytes} bytes`,
      { reason: "record-bounds" },
    );
  }
}
