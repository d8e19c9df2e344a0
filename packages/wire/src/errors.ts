/** Where in the input an error lies. Units are in the names; a field is absent when it is not known. */
export interface ErrorLocation {
  /** URI of the source as {@link ByteSource.uri} gives it. */
  readonly uri?: string | undefined;
  /** Zero-based position of the record in its source. */
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
/** The closed list of error codes; new ones may be added, none is ever renamed. Listed in docs/errors.md. */
export type TfxioErrorCode =
  | ArgumentErrorCode
  | SourceErrorCode
  | RecordErrorCode
  | SchemaErrorCode
  | ConversionErrorCode
  | "unsupported"
  | "user-function";

/** What every error may carry beside its message. */
export interface TfxioErrorOptions {
  /** Kebab-case word that tells apart conditions of one code; additive, listed in docs/errors.md. */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

// A registered symbol, so that the guard also holds between two installs of this package.
const brand: symbol = Symbol.for("@tfxio/wire/TfxioError");

/** Base of every error that this project throws on purpose. Its message begins with `[code]`. */
export abstract class TfxioError extends Error {
  abstract readonly code: TfxioErrorCode;
  readonly reason: string | undefined;

  constructor(code: TfxioErrorCode, message: string, options: TfxioErrorOptions = {}) {
    super(`[${code}] ${message}`, options.cause === undefined ? undefined : { cause: options.cause });
    Object.defineProperty(this, brand, { value: true });
    this.reason = options.reason;
  }
}

/** The caller's argument cannot be used. */
export class ArgumentError extends TfxioError {
  override readonly name = "ArgumentError";
  /** Name of the argument or option. */
  readonly argument: string | undefined;
  /** Zero-based offset into the argument, a text that cannot be parsed, in UTF-16 code units. */
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

/** A source of bytes cannot be found or read. */
export class SourceError extends TfxioError {
  override readonly name = "SourceError";
  readonly uri: string | undefined;
  /** HTTP status with which the server refused; undefined when that was not the failure. */
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

/** The bytes of a record are not what their format says. */
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

/** Fields of a {@link SchemaError} beside its code. */
export interface SchemaErrorOptions extends TfxioErrorOptions, ErrorLocation {
  /** Dotted path of the feature or column. */
  readonly columnPath?: string | undefined;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** Line of a schema's text, from 1. */
  readonly line?: number | undefined;
  /** Column in that line, from 1, in code points. */
  readonly column?: number | undefined;
}

/** A schema is missing, contradicts itself, or does not fit the data. */
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

/** Fields of a {@link ConversionError} beside its code. */
export interface ConversionErrorOptions extends TfxioErrorOptions, ErrorLocation {
  readonly tensorName?: string | undefined;
  readonly columnPath?: string | undefined;
  /** Zero-based row of the batch. */
  readonly row?: number | undefined;
}

/** Values cannot become what was asked for without loss. */
export class ConversionError extends TfxioError implements ErrorLocation {
  override readonly name = "ConversionError";
  readonly tensorName: string | undefined;
  readonly columnPath: string | undefined;
  readonly row: number | undefined;
  /** Where the value lies, for one that was read from a file. */
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

/** Something that this implementation, or this runtime, does not do. */
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

/** A function that the caller handed in has thrown; what it threw is the `cause`. */
export class UserFunctionError extends TfxioError {
  override readonly name = "UserFunctionError";
  readonly code = "user-function";
  readonly operator: string | undefined;
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

/** Any error of this project, narrowed by its code. */
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
 * True for an error of this project, with one of `codes` if any are given.
 * Goes by a brand, so errors of a second install of the package are recognised too.
 */
export function isTfxioError<Code extends TfxioErrorCode = TfxioErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is TfxioErrorOf<Code> {
  if (typeof error !== "object" || error === null || !(brand in error)) return false;
  return codes.length === 0 || codes.includes((error as unknown as { readonly code: Code }).code);
}
