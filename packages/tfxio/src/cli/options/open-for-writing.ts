import { createFormatRegistry } from "@tfxio/format";
import { standardFormats, type Tfxio } from "@tfxio/io";
import { ArgumentError, isTfxioError, messageWithoutCode } from "@tfxio/wire/errors";
import type { Host } from "../host.js";
import { openData } from "./open-data.js";
import type { OutputOptions } from "./target-options.js";

/**
 * Opens sources so that their rows can be written to `target`. Table columns keep their types, unless they become tf.Examples,
 * which hold only lists of bytes, int64 or float32. A schema is inferred only for tf.Examples, and for files that do not declare
 * their columns. Inference reads the sources once before the rows are read.
 * @throws {ArgumentError} `unknown-format` (argument `--to`) if the target's format is unknown. Also throws the errors of
 *   {@link openData}.
 */
export async function openForWriting(
  sources: readonly string[],
  target: string,
  options: OutputOptions & { readonly to?: string },
  host: Host,
): Promise<Tfxio> {
  const isExamples = holdsExamples(target, options.to);
  const columnForm = isExamples ? "lists" : "stored";
  // A stream can be read only once, so its schema is inferred from its first batch or rows.
  if (sources.includes("-")) {
    const inferSchema = options.infer === "full" ? "first" : options.infer;
    return openData(sources, options, { columnForm, inferSchema }, host);
  }
  if (!isExamples || options.schema !== undefined) {
    const tfxio = await openData(sources, options, { columnForm }, host);
    if ((await tfxio.plan()).arrowSchema !== undefined) return tfxio;
    await tfxio.close();
  }
  const looked = await openData(sources, options, { columnForm, inferSchema: options.infer }, host);
  if (!isExamples) return looked;
  // A schema that is passed in narrows columns to the types of tf.Examples, whereas inference alone does not.
  const inferredSchema = looked.schema();
  await looked.close();
  return openData(sources, options, { columnForm, inferredSchema }, host);
}

/** Returns whether the target is a TFRecord file. The error for an unknown format names `--to`, which selects it. */
function holdsExamples(target: string, format: string | undefined): boolean {
  const formats = createFormatRegistry(...standardFormats);
  try {
    const { id } = format === undefined ? formats.named(target) : formats.get(format);
    return id.includes("tfrecord");
  } catch (error) {
    if (!isTfxioError(error, "unknown-format")) throw error;
    const { code, reason } = error;
    throw new ArgumentError(code, messageWithoutCode(error), {
      argument: "--to",
      reason,
      cause: error,
    });
  }
}
