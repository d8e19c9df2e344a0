import {
  ArgumentError,
  ConversionError,
  isTfxioError,
  RecordError,
  SchemaError,
  SourceError,
  type TfxioError,
  type TfxioErrorCode,
  UnsupportedError,
  UserFunctionError,
} from "@tfxio/wire";

/** An error as plain values. A structured clone of an error would keep neither its class nor its fields. */
export interface CarriedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The code of a TfxioError. Undefined for any other error; its code, such as ENOENT, is in `fields`. */
  readonly code: TfxioErrorCode | undefined;
  /** The other fields of the error that are text or numbers, such as its reason, `uri` and `recordIndex`. */
  readonly fields: Readonly<Record<string, string | number | undefined>>;
  /** The cause; a cause that is not an error is converted to text. Undefined without a cause. */
  readonly cause: CarriedError | string | undefined;
}

/** Maximum depth of a chain of causes, which may be cyclic. Deeper causes are dropped. */
const MAX_CAUSES = 8;

/** Converts an error to plain values. A value that is not an error is converted to its text. */
export function carryError(error: unknown, depth = 0): CarriedError {
  if (!isErrorLike(error)) {
    return {
      name: "Error",
      message: String(error),
      stack: undefined,
      code: undefined,
      fields: {},
      cause: undefined,
    };
  }
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    stack,
    code: isTfxioError(error) ? error.code : undefined,
    fields: fieldsOf(error),
    cause:
      cause === undefined || depth === MAX_CAUSES
        ? undefined
        : isErrorLike(cause)
          ? carryError(cause, depth + 1)
          : String(cause),
  };
}

/**
 * Creates the error again, with its code, reason, position and causes. The stack is that of the other thread. A TfxioError keeps
 * its class; any other error becomes an `Error` with the original name.
 */
export function rebuildError(carried: CarriedError): Error {
  const { name, message, stack, code, fields } = carried;
  const cause = typeof carried.cause === "object" ? rebuildError(carried.cause) : carried.cause;
  const options = cause === undefined ? fields : { ...fields, cause };
  const error =
    code === undefined
      ? Object.assign(new Error(message, cause === undefined ? undefined : { cause }), fields)
      : tfxioError(code, message.replace(`[${code}] `, ""), options);
  if (code === undefined) Object.defineProperty(error, "name", { value: name });
  if (stack !== undefined) Object.defineProperty(error, "stack", { value: stack });
  return error;
}

function tfxioError(code: TfxioErrorCode, message: string, options: object): TfxioError {
  switch (code) {
    case "invalid-argument":
    case "unknown-format":
      return new ArgumentError(code, message, options);
    case "not-found":
    case "io-failed":
      return new SourceError(code, message, options);
    case "corrupt-record":
    case "truncated-record":
    case "malformed-payload":
    case "limit-exceeded":
      return new RecordError(code, message, options);
    case "schema-required":
    case "schema-invalid":
    case "schema-mismatch":
      return new SchemaError(code, message, options);
    case "not-convertible":
    case "out-of-range":
    case "shape-mismatch":
      return new ConversionError(code, message, options);
    case "unsupported":
      return new UnsupportedError(message, options);
    case "user-function":
      return new UserFunctionError(message, options);
  }
}

/** Returns the string and number fields of an error, except those that {@link CarriedError} holds separately. */
function fieldsOf(error: object): Record<string, string | number> {
  const plain = (value: unknown): boolean => typeof value === "string" || typeof value === "number";
  const separate = isTfxioError(error) ? ["name", "code"] : ["name"];
  const fields = Object.entries(error).filter(([key, value]) => !separate.includes(key) && plain(value));
  return Object.fromEntries(fields) as Record<string, string | number>;
}

interface ErrorLike {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: unknown;
}

/** Returns true for an object with the members of an error. An `instanceof` check would fail for errors from another realm. */
function isErrorLike(value: unknown): value is ErrorLike {
  if (typeof value !== "object" || value === null) return false;
  const { name, message } = value as Partial<ErrorLike>;
  return typeof name === "string" && typeof message === "string";
}
