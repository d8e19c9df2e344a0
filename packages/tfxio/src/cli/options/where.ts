import { parsePredicate, type Predicate } from "@tfxio/schema";
import { ArgumentError, isTfxioError } from "@tfxio/wire";

/**
 * Parses `--where`.
 * @throws {ArgumentError} `invalid-argument` (`predicate`). The message shows the predicate with a caret under the error.
 */
export function parseWhere(text: string): Predicate {
  try {
    return parsePredicate(text);
  } catch (error) {
    if (!isTfxioError(error, "invalid-argument") || error.offset === undefined) throw error;
    const { offset } = error;
    const expected = error.message.replace(/^.*? at offset \d+ expected /s, "");
    // Show the predicate on one line, because line breaks and tabs would misplace the caret.
    const line = text.replaceAll(/\s/g, " ");
    const message = `--where: expected ${expected}\n\n  ${line}\n  ${" ".repeat(offset)}^`;
    throw new ArgumentError("invalid-argument", message, {
      argument: "--where",
      offset,
      reason: "predicate",
      cause: error,
    });
  }
}
