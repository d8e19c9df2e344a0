import { loadIndex } from "#coders";
import type { ContainerContext, FramedContainer } from "@tfxio/format";
import { tfRecordBlocks, type TfRecordWindowOptions, tfRecordWindows } from "@tfxio/wire";
import { kernels, maskCrc32c } from "@tfxio/wire/kernels";
import { assertTfRecordOptions, type TfRecordOptions } from "./options.js";

/** Bytes of a record's length field. Its masked CRC-32C follows. */
const LENGTH_BYTES = 8;

/** The same container as {@link tfRecordContainer}, but never auto-detected. For payloads other than tf.Examples. */
export const undetectedTfRecordContainer: FramedContainer<TfRecordOptions> = {
  id: "tfrecord",
  extensions: [],
  defaults: { compression: "auto", verifyPayloadCrc: true, index: "none" },
  assertOptions: assertTfRecordOptions,
  cuts: async (source, context) => (await loadIndex()).findCuts(source, context),
  index: async (source, context) => (await loadIndex()).openRecordIndex(source, context),
  blocks: (source, context) =>
    tfRecordBlocks(source, {
      ...windowOptions(context),
      verifyPayload: context.options.verifyPayloadCrc,
    }),
  framing: {
    id: "tfrecord",
    windows: (source, context) => tfRecordWindows(source, windowOptions(context)),
    framedOptions: ({ options, limits }) => ({
      verifyPayload: options.verifyPayloadCrc,
      maxRecordBytes: limits.maxRecordBytes,
    }),
  },
};

/**
 * Reads files of TFRecords. The frame of a record is: length (uint64), masked CRC-32C of the length, payload, masked CRC-32C of
 * the payload. All numbers are little-endian.
 * @see TensorFlow `core/lib/io/record_writer.h`
 */
export const tfRecordContainer: FramedContainer<TfRecordOptions> = {
  ...undetectedTfRecordContainer,
  extensions: [".tfrecord", ".tfrecords", ".tfrecord.gz", ".tfrecords.gz"],
  sniff: isTfRecord,
};

/** Returns true if the first length field matches its checksum. Random bytes match with a probability of 1 in 2^32. */
function isTfRecord(head: Uint8Array): boolean {
  if (head.length < LENGTH_BYTES + 4) return false;
  const stored = new DataView(head.buffer, head.byteOffset + LENGTH_BYTES, 4).getUint32(0, true);
  return stored === maskCrc32c(kernels().crc32c(head, 0, LENGTH_BYTES));
}

function windowOptions(context: ContainerContext<TfRecordOptions>): TfRecordWindowOptions {
  const { options, limits, from, part, signal } = context;
  return {
    compression: options.compression,
    maxRecordBytes: limits.maxRecordBytes,
    from,
    part,
    signal,
  };
}
