import { ArgumentError } from "@tfxio/wire/errors";

/** The error for a command line whose parts do not fit together. */
export function wrongUse(message: string): ArgumentError {
  return new ArgumentError("invalid-argument", message);
}
