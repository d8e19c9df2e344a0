import { ArgumentError } from "@tfxio/wire/errors";

/** Creates the error for an invalid command line: `invalid-argument`, exit code 2. */
export function wrongUse(message: string): ArgumentError {
  return new ArgumentError("invalid-argument", message);
}
