import { ConversionError } from "@tfxio/wire";

/** Creates the error for values whose number or shape is wrong: `shape-mismatch` (`expression-shape`). */
export function shapeMismatch(message: string): ConversionError {
  return new ConversionError("shape-mismatch", message, { reason: "expression-shape" });
}
