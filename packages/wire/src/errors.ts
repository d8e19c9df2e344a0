/** Position of an error in the input. An absent field is unknown. */
export interface ErrorLocation {
  /** URI of the source, from {@link ByteSource.uri}. */
  readonly uri?: string | undefined;
  /** Zero-based index of the record in its source. */
  readonly recordIndex?: number | undefined;
  /** Zero-based offset into the source's uncompressed bytes. */
  readonly byteOffset?: number | undefined;
}

/** Codes of {@link ArgumentError}. */
export type ArgumentErrorCode = "invalid-argument" | "unknown-format";
/** Codes of {@link SourceError}. */
export type SourceErrorCode = "not-found" | "io-failed";
/** Codes of {@link RecordError}. */
export type RecordErrorCode = "corrupt-record" | "truncated-record" | "malformed-payload" | "limit-exceeded";
/** Codes of {@link SchemaError}. */
export type SchemaErrorCode = "schema-required" | "schema-invalid" | "schema-mismatch";
/** Codes of {@link ConversionError}. */
export type ConversionErrorCode = "not-convertible" | "out-of-range" | "shape-mismatch";
/** All error codes. A release may add codes, but never renames one. See docs/errors.md. */
export type TfxioErrorCode =
  | ArgumentErrorCode
  | SourceErrorCode
  | RecordErrorCode
  | SchemaErrorCode
  | ConversionErrorCode
  | "unsupported"
  | "user-function";

/** Optional details of every error. */
export interface TfxioErrorOptions {
  /** Kebab-case name that distinguishes conditions with the same code. A release may add reasons. See docs/errors.md. */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

// A symbol of the global registry, so that `isTfxioError` recognizes errors from another copy of this package.
const brand: symbol = Symbol.for("@tfxio/wire/TfxioError");

const HELP_PAGE = "https://github.com/tfxio/tfxio/blob/main/docs/errors.md";

/** Base class of all errors that this project throws deliberately. The message begins with `[code]`. */
export abstract class TfxioError extends Error {
  abstract readonly code: TfxioErrorCode;
  readonly reason: string | undefined;

  constructor(code: TfxioErrorCode, message: string, options: TfxioErrorOptions = {}) {
    super(`[${code}] ${message}`, options.cause === undefined ? undefined : { cause: options.cause });
    Object.defineProperty(this, brand, { value: true });
    this.reason = options.reason;
  }

  /** URL of the section of docs/errors.md that explains this error's reason, or its code if it has no reason. */
  get helpUrl(): string {
    return `${HELP_PAGE}#${this.reason ?? this.code}`;
  }
}

/** The caller passed an unusable argument. */
export class ArgumentError extends TfxioError {
  override readonly name = "ArgumentError";
  /** Name of the argument or option. */
  readonly argument: string | undefined;
  /** Zero-based offset, in UTF-16 code units, at which a text argument cannot be parsed. */
  readonly offset: number | undefined;
  constructor(
    readonly code: ArgumentErrorCode,
    message: string,
    options: TfxioErrorOptions & {
      readonly argument?: string | undefined;
      readonly offset?: number | undefined;
    } = {},
  ) {
    super(code, message, options);
    this.argument = options.argument;
    this.offset = options.offset;
  }
}

/** A file, server, store or other resource does not exist, or using it failed. */
export class SourceError extends TfxioError {
  override readonly name = "SourceError";
  readonly uri: string | undefined;
  /** HTTP status of the response if the server reported an error. Undefined for other failures. */
  readonly status: number | undefined;
  constructor(
    readonly code: SourceErrorCode,
    message: string,
    options: TfxioErrorOptions & {
      readonly uri?: string | undefined;
      readonly status?: number | undefined;
    } = {},
  ) {
    super(code, message, options);
    this.uri = options.uri;
    this.status = options.status;
  }
}

/** Data is damaged, incomplete or malformed, or exceeds a limit. */
export class RecordError extends TfxioError implements ErrorLocation {
  override readonly name = "RecordError";
  readonly uri: string | undefined;
  readonly recordIndex: number | undefined;
  readonly byteOffset: number | undefined;
  constructor(
    readonly code: RecordErrorCode,
    message: string,
    options: TfxioErrorOptions & ErrorLocation = {},
  ) {
    super(code, message, options);
    this.uri = options.uri;
    this.recordIndex = options.recordIndex;
    this.byteOffset = options.byteOffset;
  }
}

/** Options of {@link SchemaError}, which become its fields. */
export interface SchemaErrorOptions extends TfxioErrorOptions, ErrorLocation {
  /** Dotted path of the feature or column. */
  readonly columnPath?: string | undefined;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** One-based line in the text of a schema. */
  readonly line?: number | undefined;
  /** One-based column in that line, in code points. */
  readonly column?: number | undefined;
}

/** A schema is missing, is invalid, or does not fit the data or the request. */
export class SchemaError extends TfxioError implements ErrorLocation {
  override readonly name = "SchemaError";
  readonly columnPath: string | undefined;
  readonly expected: string | undefined;
  readonly actual: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly uri: string | undefined;
  readonly recordIndex: number | undefined;
  readonly byteOffset: number | undefined;
  constructor(
    readonly code: SchemaErrorCode,
    message: string,
    options: SchemaErrorOptions = {},
  ) {
    super(code, message, options);
    this.columnPath = options.columnPath;
    this.expected = options.expected;
    this.actual = options.actual;
    this.line = options.line;
    this.column = options.column;
    this.uri = options.uri;
    this.recordIndex = options.recordIndex;
    this.byteOffset = options.byteOffset;
  }
}

/** Options of {@link ConversionError}, which become its fields. */
export interface ConversionErrorOptions extends TfxioErrorOptions, ErrorLocation {
  readonly tensorName?: string | undefined;
  readonly columnPath?: string | undefined;
  /** Zero-based row in the batch. */
  readonly row?: number | undefined;
}

/** Values cannot be converted as requested, or do not have the required shape or structure. */
export class ConversionError extends TfxioError implements ErrorLocation {
  override readonly name = "ConversionError";
  readonly tensorName: string | undefined;
  readonly columnPath: string | undefined;
  readonly row: number | undefined;
  /** URI of the file that contains the value, if it was read from a file. */
  readonly uri: string | undefined;
  readonly recordIndex: number | undefined;
  readonly byteOffset: number | undefined;
  constructor(
    readonly code: ConversionErrorCode,
    message: string,
    options: ConversionErrorOptions = {},
  ) {
    super(code, message, options);
    this.tensorName = options.tensorName;
    this.columnPath = options.columnPath;
    this.row = options.row;
    this.uri = options.uri;
    this.recordIndex = options.recordIndex;
    this.byteOffset = options.byteOffset;
  }
}

/** This implementation or runtime does not support the request. */
export class UnsupportedError extends TfxioError {
  override readonly name = "UnsupportedError";
  readonly code = "unsupported";
  /** The missing feature in a few words. */
  readonly feature: string | undefined;
  constructor(message: string, options: TfxioErrorOptions & { readonly feature?: string | undefined } = {}) {
    super("unsupported", message, options);
    this.feature = options.feature;
  }
}

/** A function supplied by the caller threw an error or returned an unusable value. If it threw, `cause` is what it threw. */
export class UserFunctionError extends TfxioError {
  override readonly name = "UserFunctionError";
  readonly code = "user-function";
  /** Name of the operator, option or component that the function belongs to, such as `map`. Undefined if unknown. */
  readonly operator: string | undefined;
  /** Zero-based index of the element among those that the operator received in the pass. Undefined if unknown. */
  readonly elementIndex: number | undefined;
  constructor(
    message: string,
    options: TfxioErrorOptions & {
      readonly operator?: string | undefined;
      readonly elementIndex?: number | undefined;
    } = {},
  ) {
    super("user-function", message, options);
    this.operator = options.operator;
    this.elementIndex = options.elementIndex;
  }
}

/** The error type that has this code. */
export type TfxioErrorOf<Code extends TfxioErrorCode> = Extract<
  | ArgumentError
  | SourceError
  | RecordError
  | SchemaError
  | ConversionError
  | UnsupportedError
  | UserFunctionError,
  { readonly code: unknown }
> & { readonly code: Code };

/**
 * Returns true for an error of this project. If `codes` are given, the error must have one of them. The check uses a brand
 * instead of the class, so errors from another copy of the package are recognized too.
 */
export function isTfxioError<Code extends TfxioErrorCode = TfxioErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is TfxioErrorOf<Code> {
  if (typeof error !== "object" || error === null || !(brand in error)) return false;
  return codes.length === 0 || codes.includes((error as unknown as { readonly code: Code }).code);
}

/** Returns the message of an error without the code in brackets at its start, for a new error that adds a location. */
export function messageWithoutCode({ message }: Error): string {
  return message.replace(/^\[[a-z-]+\] /, "");
}
