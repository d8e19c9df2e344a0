import { ConversionError } from "@tfxio/wire";
import { ArrayStatus } from "@tfxio/wire/kernels";

/**
 * Refuses what a kernel has refused. Columns are checked when they are read, so that this is about memory which
 * somebody else has written to since.
 * @throws {ConversionError} `not-convertible` (`malformed-column`).
 */
export function assertLaidOut(status: ArrayStatus): void {
  if (status === ArrayStatus.ok) return;
  throw new ConversionError("not-convertible", "The offsets of a column have changed since it was read.", {
    reason: "malformed-column",
  });
}
