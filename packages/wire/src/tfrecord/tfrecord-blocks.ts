import type { ByteSource } from "../sources/byte-source.js";
import { aBoolean, assertOptions } from "../checks/index.js";
import { FrameBounds, kernels } from "../kernels/index.js";
import { type CancellableIterator, cancellable } from "../cancellable.js";
import type { RecordBlock } from "../record-block.js";
import { DEFAULT_MAX_RECORD_BYTES } from "../limits.js";
import { HEADER_BYTES, frameError } from "./tfrecord-frame.js";
import { TFRECORD_WINDOW_RULES, type TfRecordWindowOptions, tfRecordWindows } from "./tfrecord-windows.js";

/**
 * Maximum number of records in a block. It limits the length of `starts` and `ends`: a chunk of 1 MiB may hold 65,536 empty
 * records.
 */
const MAX_BLOCK_RECORDS = 8192;

/** Options of {@link tfRecordBlocks}. */
export interface TfRecordReadOptions extends TfRecordWindowOptions {
  /** Whether to check the CRC-32C of every payload. Default true. The CRC-32C of its length is always checked. */
  readonly verifyPayload?: boolean | undefined;
}

/**
 * Reads the records of a TFRecord source in order, in blocks. All records before a damaged record are delivered before the error
 * is thrown. Leaving the loop closes the source's stream.
 * @throws {RecordError} `corrupt-record` (`payload-crc`), and the errors of {@link tfRecordWindows}.
 * @see TensorFlow `core/lib/io/record_reader.h`
 */
export function tfRecordBlocks(
  source: ByteSource,
  options: TfRecordReadOptions = {},
): CancellableIterator<RecordBlock> {
  return cancellable((leaving) => blocksOf(source, options, leaving));
}

async function* blocksOf(
  source: ByteSource,
  options: TfRecordReadOptions,
  leaving: AbortSignal,
): AsyncGenerator<RecordBlock, void> {
  assertOptions("tfRecordBlocks", options, { ...TFRECORD_WINDOW_RULES, verifyPayload: aBoolean });
  const { verifyPayload = true, ...windowOptions } = options;
  const { maxRecordBytes = DEFAULT_MAX_RECORD_BYTES } = windowOptions;
  const windows = tfRecordWindows(source, windowOptions);
  leaving.addEventListener("abort", () => void windows.close(), { once: true });
  const bounds = new FrameBounds();
  try {
    let consumed = 0;
    for (;;) {
      const window = await windows.next(consumed);
      if (window === null) return;
      const { uri, bytes, firstRecordIndex, byteOffset } = window;
      const framed = { verifyPayload, maxRecordBytes };
      const scan = kernels().scanTfRecords(bytes, 0, bytes.length, MAX_BLOCK_RECORDS, framed, bounds);
      const { numRecords, starts, ends } = scan;
      if (numRecords === 0) {
        throw frameError(scan.status, maxRecordBytes, { uri, recordIndex: firstRecordIndex, byteOffset });
      }
      yield {
        uri,
        bytes,
        numRecords,
        starts,
        ends,
        firstRecordIndex,
        byteOffset,
        headerBytes: HEADER_BYTES,
        endOffset: byteOffset + scan.consumed,
      };
      consumed = scan.consumed;
    }
  } finally {
    await windows.close();
  }
}
