import { createFormatRegistry, type Format } from "@tfxio/format";
import { protobuf } from "@tfxio/formats-protobuf";
import { detectTfRecordFormat, sequenceTfrecord, tfrecord } from "@tfxio/formats-tfrecord";
import { type ByteSource, isTfxioError } from "@tfxio/wire";
import { aReadCompression } from "@tfxio/wire/checks";
import type { TfxioOptions } from "./open-options.js";
import { standardFormats } from "./standard-formats.js";
import { tfrecordProtobuf } from "./tfrecord-protobuf.js";

/**
 * Returns the requested format, or detects the format from the source. For TFRecord files, detection also reads the first
 * records. For `protobuf` it also detects the container: TFRecords, or length-delimited messages.
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
  // The format itself reports an invalid value.
  if (compression !== undefined && !aReadCompression.holds(compression)) return detected;
  return detectTfRecordFormat(source, { compression: compression as "auto" | undefined, signal });
}

/** Returns true for a TFRecord file. Checks the source's name, then its first bytes. */
async function isTfRecord(source: ByteSource, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    return (await createFormatRegistry(tfrecord, protobuf).detect(source, { signal })) === tfrecord;
  } catch (error) {
    // Length-delimited messages have no recognizable first bytes.
    if (isTfxioError(error, "unknown-format")) return false;
    throw error;
  }
}
