import { ConversionError } from "@tfxio/wire";
import { ArrayStatus } from "@tfxio/wire/kernels";

/**
 * Throws if a kernel rejected its input. Columns are checked when they are read, so a rejection means that their memory was
 * modified afterwards.
 * @throws {ConversionError} `not-convertible` (`malformed-column`).
 */
export function assertLaidOut(status: ArrayStatus): void {
  if (status === ArrayStatus.ok) return;
  throw new ConversionError(
    "not-convertible",
    "The offsets of a column have changed since it was read. Do not modify a batch during its conversion.",
    { reason: "malformed-column" },
  );
}
