import { createFormatRegistry, type Format } from "@tfxio/format";
import type { ByteSource } from "@tfxio/wire";
import type { TfxioOptions } from "./open-options.js";
import { standardFormats } from "./standard-formats.js";

/** The format that is asked for, or that the source looks like. */
export function chooseFormat(
  source: ByteSource,
  options: Pick<TfxioOptions, "format" | "formats" | "signal">,
): Promise<Format> | Format {
  const formats = options.formats ?? createFormatRegistry(...standardFormats);
  if (typeof options.format === "object") return options.format;
  if (options.format !== undefined) return formats.get(options.format);
  return formats.detect(source, { signal: options.signal });
}
