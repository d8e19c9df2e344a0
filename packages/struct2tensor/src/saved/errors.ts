import { isTfxioError, messageWithoutCode, RecordError, UnsupportedError } from "@tfxio/wire";

/**
 * Creates the error for a damaged or invalid file of a saved view.
 * @param file name of the file in the directory.
 * @param problem follows the name of the file in the message. Has no full stop.
 */
export function malformed(file: string, problem: string, reason = "data-view", cause?: unknown): RecordError {
  return new RecordError("malformed-payload", `${file}: ${problem}.`, { reason, uri: file, cause });
}

/** Returns the message of `cause` as a problem for {@link malformed}: without an error code and without the final full stop. */
export function problemOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return (isTfxioError(cause) ? messageWithoutCode(cause) : message).replace(/\.$/, "");
}

/**
 * Creates the error for a query that cannot be saved.
 * @param feature the node or source at fault.
 * @param problem clause that completes the message. Has no full stop.
 */
export function notSerializable(feature: string, problem: string): UnsupportedError {
  return new UnsupportedError(`The query cannot be saved: ${problem}.`, {
    reason: "not-serializable",
    feature,
  });
}
