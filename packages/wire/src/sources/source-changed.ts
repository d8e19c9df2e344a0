import { SourceError } from "../errors.js";

/** Returns the error for a source whose bytes have changed since it was opened. */
export function sourceChanged(uri: string, expected: string, found: string): SourceError {
  return new SourceError(
    "io-failed",
    `${uri} has changed since it was opened: expected ${expected}, found ${found}.`,
    { uri, reason: "source-changed" },
  );
}
