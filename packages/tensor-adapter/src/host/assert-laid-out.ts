import { ConversionError } from "@tfxio/wire";
import { ArrayStatus } from "@tfxio/wire/kernels";

/**
 * Throws if a kernel rejected its input. Offsets are checked when a column is read, so a rejection means that they were modified
 * afterwards, or that the column's validity bitmap is too short.
 * @throws {ConversionError} `not-convertible` (`malformed-column`).
 */
export function assertLaidOut(status: ArrayStatus): void {
  if (status === ArrayStatus.ok) return;
  throw new ConversionError(
    "not-convertible",
    "A column's validity bitmap is too short, or its offsets have changed since it was read. Do not modify a batch during its conversion.",
    { reason: "malformed-column" },
  );
}
