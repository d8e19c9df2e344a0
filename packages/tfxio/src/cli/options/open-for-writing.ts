import { createFormatRegistry } from "@tfxio/format";
import { standardFormats, type Tfxio } from "@tfxio/io";
import { isTfxioError } from "@tfxio/wire";
import type { Host } from "../host.js";
import { openData } from "./open-data.js";
import type { TargetOptions } from "./target-options.js";

/**
 * Opens sources for writing them to `target`. Table columns keep their types, unless they become tf.Examples, which hold
 * lists of three types. A schema is inferred only if one is needed: for tf.Examples, and for files that do not declare their
 * columns.
 */
export async function openForWriting(
  sources: readonly string[],
  target: string,
  options: TargetOptions,
  host: Host,
): Promise<Tfxio> {
  const isExamples = holdsExamples(target, options.to);
  const columnForm = isExamples ? "lists" : "stored";
  // A stream cannot be examined first.
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
  // Passed as a given schema, it narrows types to the types of tf.Examples. An inferred schema would not.
  const inferredSchema = looked.schema();
  await looked.close();
  return openData(sources, options, { columnForm, inferredSchema }, host);
}

/** True if the target is a TFRecord file. The writer reports a name that it cannot use. */
function holdsExamples(target: string, format: string | undefined): boolean {
  const formats = createFormatRegistry(...standardFormats);
  try {
    const { id } = format === undefined ? formats.named(target) : formats.get(format);
    return id.includes("tfrecord");
  } catch (error) {
    if (isTfxioError(error, "unknown-format")) return false;
    throw error;
  }
}
