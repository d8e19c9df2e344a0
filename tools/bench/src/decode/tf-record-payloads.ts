/** Bytes around each record in a TFRecord file: its length and two checksums. */
export const FRAMING_BYTES = 16;

/**
 * Yields a view of the payload of each TFRecord in `bytes`, without checking CRCs. The JavaScript peers decode these payloads.
 */
export function* tfRecordPayloads(bytes: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start + FRAMING_BYTES <= bytes.length; ) {
    const end = start + 12 + view.getUint32(start, true);
    yield bytes.subarray(start + 12, end);
    start = end + 4;
  }
}
