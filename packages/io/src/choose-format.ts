import { createFormatRegistry, type Format } from "@tfxio/format";
import { protobuf } from "@tfxio/formats-protobuf";
import { detectTfRecordFormat, sequenceTfrecord, tfrecord } from "@tfxio/formats-tfrecord";
import { type ByteSource, isTfxioError } from "@tfxio/wire";
import { aReadCompression } from "@tfxio/wire/checks";
import type { TfxioOptions } from "./open-options.js";
import { standardFormats } from "./standard-formats.js";
import { tfrecordProtobuf } from "./tfrecord-protobuf.js";

/**
 * Returns the requested format, or detects the format from the source. For detected TFRecord files, reads the first records to
 * distinguish SequenceExamples from Examples. For the id `protobuf`, detects whether the messages are stored as TFRecords or in a
 * size-delimited file.
 * @throws {ArgumentError} `unknown-format` when no format in the registry has the id, or detection fails.
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
  // Ignore an invalid value here: the format rejects it when it opens the file.
  if (compression !== undefined && !aReadCompression.holds(compression)) return detected;
  return detectTfRecordFormat(source, { compression: compression as "auto" | undefined, signal });
}

/** Returns true if the source is a TFRecord file, judging by its name, then by its first bytes. */
async function isTfRecord(source: ByteSource, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    return (await createFormatRegistry(tfrecord, protobuf).detect(source, { signal })) === tfrecord;
  } catch (error) {
    // Size-delimited files have no recognizable first bytes.
    if (isTfxioError(error, "unknown-format")) return false;
    throw error;
  }
}
