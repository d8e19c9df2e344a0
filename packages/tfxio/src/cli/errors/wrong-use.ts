import { ArgumentError } from "@tfxio/wire/errors";

/** The error for a command line whose parts contradict each other. */
export function wrongUse(message: string): ArgumentError {
  return new ArgumentError("invalid-argument", message);
}
