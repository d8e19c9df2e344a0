import { ConversionError, isTfxioError, messageWithoutCode, SchemaError } from "@tfxio/wire";

/** Returns the subject of an error message: `Tensor "name"`, or `The tensor` if the name is unknown. */
export function labelOf(tensorName: string | undefined): string {
  return tensorName === undefined ? "The tensor" : `Tensor "${tensorName}"`;
}

/**
 * Runs `make`, and adds the tensor's name to any schema or conversion error that it throws. Other errors pass unchanged.
 * @param failing the start of the new message, such as `Cannot make tensor`.
 */
export function named<Result>(tensorName: string, failing: string, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (!isTfxioError(error)) throw error;
    const message = `${failing} "${tensorName}": ${messageWithoutCode(error)}`;
    if (isTfxioError(error, "schema-invalid", "schema-mismatch")) {
      const { code, reason, columnPath, expected, actual } = error;
      throw new SchemaError(code, message, { reason, columnPath, expected, actual, cause: error });
    }
    if (isTfxioError(error, "not-convertible", "out-of-range", "shape-mismatch")) {
      const { code, reason, columnPath, row } = error;
      throw new ConversionError(code, message, { reason, tensorName, columnPath, row, cause: error });
    }
    throw error;
  }
}
