import { ConversionError } from "@tfxio/wire";

/**
 * Returns a new array of zeros.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) if the runtime cannot allocate it.
 */
export function allocated<T>(ArrayType: new (length: number) => T, length: number): T {
  try {
    return new ArrayType(length);
  } catch (cause) {
    throw new ConversionError(
      "out-of-range",
      `Cannot allocate an array of length ${length}; request smaller batches.`,
      {
        reason: "batch-too-large",
        cause,
      },
    );
  }
}
