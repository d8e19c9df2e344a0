import { createFormatRegistry, type Format } from "@tfxio/format";
import { protobuf } from "@tfxio/formats-protobuf";
import { detectTfRecordFormat, sequenceTfrecord, tfrecord } from "@tfxio/formats-tfrecord";
import { type ByteSource, isTfxioError } from "@tfxio/wire";
import { aReadCompression } from "@tfxio/wire/checks";
import type { TfxioOptions } from "./open-options.js";
import { standardFormats } from "./standard-formats.js";
import { tfrecordProtobuf } from "./tfrecord-protobuf.js";

/**
 * The format that is asked for, or that the source looks like; of a TFRecord file, that of its first records. For `protobuf` the
 * source decides on the container: TFRecords, or messages each after its length.
 */
export async function chooseFormat(
  source: ByteSource,
  options: Pick<TfxioOptions, "format" | "formats" | "formatOptions" | "signal">,
): Promise<Format> {
  const { format, formats = createFormatRegistry(...standardFormats), formatOptions, signal } = options;
  if (typeof format === "object") return format;
  if (format !== undefined) {
    const named = formats.get(format);
    return named === protobuf && (await isTfRecord(source, signal)) ? tfrecordProtobuf : named;
  }
  const detected = await formats.detect(source, { signal });
  if (detected !== tfrecord || !formats.formats.includes(sequenceTfrecord)) return detected;
  const compression = formatOptions?.["compression"];
  // A wrong value is for the format to report.
  if (compression !== undefined && !aReadCompression.holds(compression)) return detected;
  return detectTfRecordFormat(source, { compression: compression as "auto" | undefined, signal });
}

/** By the name of the source, else by its first bytes. */
async function isTfRecord(source: ByteSource, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    return (await createFormatRegistry(tfrecord, protobuf).detect(source, { signal })) === tfrecord;
  } catch (error) {
    // Nothing in the bytes of messages gives them away.
    if (isTfxioError(error, "unknown-format")) return false;
    throw error;
  }
}
