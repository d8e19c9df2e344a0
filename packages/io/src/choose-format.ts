import { createFormatRegistry, type Format, type FormatRegistry } from "@tfxio/format";
import { protobuf } from "@tfxio/formats-protobuf";
import { detectTfRecordFormat, sequenceTfrecord, tfrecord } from "@tfxio/formats-tfrecord";
import { type ByteSource, decompressed, type DecompressOptions, isTfxioError } from "@tfxio/wire";
import { aReadCompression } from "@tfxio/wire/checks";
import type { TfxioOptions } from "./open-options.js";
import { standardFormats } from "./standard-formats.js";
import { tfrecordProtobuf } from "./tfrecord-protobuf.js";

/**
 * Returns the requested format, or detects the format that all sources must have. The name of the first source decides, or else
 * its first bytes. If the name does not decide and the source is empty once decompressed, the next source decides in the same
 * way. For detected TFRecord files, reads the first records to distinguish SequenceExamples from Examples, if `formats` has the
 * formats of both. For the id `protobuf`, detects whether the messages are stored as TFRecords or in a size-delimited file.
 * @throws {ArgumentError} `unknown-format` when no format in the registry has the requested id, or detection fails. If all
 *   sources are empty, the error names the first one.
 */
export async function chooseFormat(
  sources: readonly ByteSource[],
  options: Pick<TfxioOptions, "format" | "formats" | "formatOptions" | "signal">,
): Promise<Format> {
  const { format, formats = createFormatRegistry(...standardFormats), formatOptions, signal } = options;
  if (typeof format === "object") return format;
  if (format !== undefined) {
    const named = formats.get(format);
    return named === protobuf && (await areTfRecords(sources, signal)) ? tfrecordProtobuf : named;
  }
  const detected = await detectFormat(formats, sources, signal);
  if (detected !== tfrecord || !formats.formats.includes(sequenceTfrecord)) return detected;
  const compression = formatOptions?.["compression"] as "auto" | undefined;
  // Ignore an invalid value here: the format rejects it when it opens the file.
  if (compression !== undefined && !aReadCompression.holds(compression)) return detected;
  const reading = { compression, signal };
  return detectTfRecordFormat(await firstNonEmpty(sources, reading), reading);
}

type ReadingOptions = Pick<DecompressOptions, "compression" | "signal">;

/** Returns true if a source has no bytes once decompressed. A source with damaged compression is not empty. */
export async function isEmpty(source: ByteSource, { compression, signal }: ReadingOptions): Promise<boolean> {
  try {
    for await (const chunk of decompressed(source, { compression, signal })) {
      if (chunk.length > 0) return false;
    }
    return true;
  } catch (error) {
    if (isTfxioError(error, "corrupt-record", "truncated-record")) return false;
    throw error;
  }
}

/** Detects the format from the first source that has a known name or is not empty. */
async function detectFormat(
  formats: FormatRegistry,
  sources: readonly ByteSource[],
  signal: AbortSignal | undefined,
): Promise<Format> {
  let failure: unknown;
  for (const source of sources) {
    try {
      return await formats.detect(source, { signal });
    } catch (error) {
      failure ??= error;
      if (!isTfxioError(error, "unknown-format") || !(await isEmpty(source, { signal }))) throw error;
    }
  }
  throw failure;
}

/** Returns the first source that is not empty. Returns the last source, without reading it, if all others are empty. */
async function firstNonEmpty(sources: readonly ByteSource[], options: ReadingOptions): Promise<ByteSource> {
  for (const source of sources.slice(0, -1)) if (!(await isEmpty(source, options))) return source;
  return sources.at(-1) as ByteSource;
}

/** Returns true if the sources are detected as TFRecord files. */
async function areTfRecords(
  sources: readonly ByteSource[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    return (await detectFormat(createFormatRegistry(tfrecord, protobuf), sources, signal)) === tfrecord;
  } catch (error) {
    // Size-delimited files have no recognizable first bytes.
    if (isTfxioError(error, "unknown-format")) return false;
    throw error;
  }
}
