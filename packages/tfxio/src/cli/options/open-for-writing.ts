import { createFormatRegistry } from "@tfxio/format";
import { standardFormats, type Tfxio } from "@tfxio/io";
import { ArgumentError, isTfxioError, messageWithoutCode } from "@tfxio/wire/errors";
import { wrongUse } from "../errors/wrong-use.js";
import type { Host } from "../host.js";
import { holdsMessages, openData } from "./open-data.js";
import type { OutputOptions, TargetOptions } from "./target-options.js";

/**
 * Opens sources so that their rows can be written to `target`. Columns of tables, such as CSV or Parquet, keep their types,
 * except in a target of tf.Examples, which hold only lists of bytes, int64 or float32. Without `--schema`, a schema is inferred
 * for such a target, for stdin, and for files that do not declare their columns. For files, inference is a separate pass before
 * the rows are read.
 * @throws {ArgumentError} `unknown-format` (argument `--to`) if the target's format is unknown, and `invalid-argument` if the
 *   format holds protobuf messages and its options lack the message type. Also throws the errors of {@link openData}.
 */
export async function openForWriting(
  sources: readonly string[],
  target: string,
  options: OutputOptions & Pick<TargetOptions, "to" | "targetOption">,
  host: Host,
): Promise<Tfxio> {
  const targetFormat = targetFormatId(target, options.to);
  if (holdsMessages(targetFormat)) assertMessageType(options.targetOption);
  const isExamples = targetFormat.includes("tfrecord") && !holdsMessages(targetFormat);
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
  // Open again with the inferred schema, because inference alone does not narrow columns to the types of tf.Examples.
  const inferredSchema = looked.schema();
  await looked.close();
  return openData(sources, options, { columnForm, inferredSchema }, host);
}

/** Checks that the options of a protobuf target include the type of its messages. Only `--target-option` sets it. */
function assertMessageType({ descriptor, message }: Readonly<Record<string, unknown>> = {}): void {
  if (descriptor !== undefined && message !== undefined) return;
  throw wrongUse(
    "Protobuf messages can be written only with -T descriptor=BASE64 (a FileDescriptorSet) and -T message=TYPE; " +
      "tfrecord, csv, jsonl, parquet, arrow and avro can be written without a message type.",
  );
}

/** Returns the id of the target's format. The error for an unknown format names `--to`, which selects it. */
function targetFormatId(target: string, format: string | undefined): string {
  const formats = createFormatRegistry(...standardFormats);
  try {
    return (format === undefined ? formats.named(target) : formats.get(format)).id;
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
