import { ConversionError } from "@tfxio/wire";
import { ArrayStatus } from "@tfxio/wire/kernels";

/**
 * Throws after a kernel refused its input. Columns are checked when they are read, so this means that someone has written to
 * their memory since.
 * @throws {ConversionError} `not-convertible` (`malformed-column`).
 */
export function assertLaidOut(status: ArrayStatus): void {
  if (status === ArrayStatus.ok) return;
  throw new ConversionError("not-convertible", "The offsets of a column have changed since it was read.", {
    reason: "malformed-column",
  });
}
