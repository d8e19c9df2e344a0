import { ConversionError } from "@tfxio/wire";

/** The error for values whose numbers or shapes differ. */
export function shapeMismatch(message: string): ConversionError {
  return new ConversionError("shape-mismatch", message, { reason: "expression-shape" });
}
