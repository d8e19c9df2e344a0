import { ConversionError } from "@tfxio/wire";

/** Values do not fit together. */
export function shapeMismatch(message: string): ConversionError {
  return new ConversionError("shape-mismatch", message, { reason: "expression-shape" });
}
