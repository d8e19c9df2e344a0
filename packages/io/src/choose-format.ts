import { createFormatRegistry, type Format } from "@tfxio/format";
import { detectTfRecordFormat, sequenceTfrecord, tfrecord } from "@tfxio/formats-tfrecord";
import type { ByteSource } from "@tfxio/wire";
import { aReadCompression } from "@tfxio/wire/checks";
import type { TfxioOptions } from "./open-options.js";
import { standardFormats } from "./standard-formats.js";

/** The format that is asked for, or that the source looks like; of a TFRecord file, that of its first records. */
export async function chooseFormat(
  source: ByteSource,
  options: Pick<TfxioOptions, "format" | "formats" | "formatOptions" | "signal">,
): Promise<Format> {
  const { format, formats = createFormatRegistry(...standardFormats), formatOptions, signal } = options;
  if (typeof format === "object") return format;
  if (format !== undefined) return formats.get(format);
  const detected = await formats.detect(source, { signal });
  if (detected !== tfrecord || !formats.formats.includes(sequenceTfrecord)) return detected;
  const compression = formatOptions?.["compression"];
  // A wrong value is for the format to report.
  if (compression !== undefined && !aReadCompression.holds(compression)) return detected;
  return detectTfRecordFormat(source, { compression: compression as "auto" | undefined, signal });
}
