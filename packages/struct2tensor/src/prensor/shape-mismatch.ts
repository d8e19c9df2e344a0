import { ConversionError } from "@tfxio/wire";

/** The error for values that differ in number or shape. */
export function shapeMismatch(message: string): ConversionError {
  return new ConversionError("shape-mismatch", message, { reason: "expression-shape" });
}
