import { createFormatRegistry, type Format, type FormatRegistry } from "@tfxio/format";
import { ArgumentError, type TargetInput, UnsupportedError } from "@tfxio/wire";
import { standardFormats } from "../standard-formats.js";

/** A format with a writer. */
export type Writable = Format & Required<Pick<Format, "createWriter">>;

/** Options that determine the format of a target. */
interface FormatChoice {
  readonly format?: string | Format | undefined;
  readonly formats?: FormatRegistry | undefined;
}

/**
 * Returns the requested format, or the format for the extension of the target's name.
 * @throws {ArgumentError} `unknown-format`, or `invalid-argument` for a target without a name if no format is requested.
 * @throws {UnsupportedError} `unsupported` (`read-only-format`) for a format without a writer.
 */
export function writableFormat(target: TargetInput, options: FormatChoice): Writable {
  const formats = options.formats ?? createFormatRegistry(...standardFormats);
  const format =
    typeof options.format === "object"
      ? options.format
      : options.format === undefined
        ? formats.named(nameOf(target))
        : formats.get(options.format);
  if (format.createWriter !== undefined) return format as Writable;
  throw new UnsupportedError(`The format ${format.id} cannot be written; choose a format with a writer.`, {
    feature: "writing",
    reason: "read-only-format",
  });
}

function nameOf(target: TargetInput): string {
  if (typeof target === "string") return target;
  if (target instanceof URL) return target.href;
  const { uri, name } = target as { readonly uri?: string; readonly name?: string };
  const named = uri ?? name;
  if (named !== undefined && named !== "") return named;
  throw new ArgumentError(
    "invalid-argument",
    "The target has no name from which to derive the format; pass a format.",
    {
      argument: "format",
    },
  );
}
