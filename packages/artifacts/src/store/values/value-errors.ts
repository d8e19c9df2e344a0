import { ArgumentError, RecordError } from "@tfxio/wire/errors";

/** A protobuf message of any type, in the form of `google.protobuf.Any`. */
export interface ProtoValue {
  /** The URL of the message type, such as `type.googleapis.com/my.Message`; never empty. */
  readonly typeUrl: string;
  /** The serialized message. */
  readonly value: Uint8Array;
}

/**
 * Checks that text can be stored unchanged.
 * @param place Name of the argument or property that holds the text, for error messages.
 * @throws {ArgumentError} `invalid-argument` (`property-value`) if the text contains a lone surrogate or NUL. ML Metadata would
 * truncate the text at a NUL.
 */
export function assertText(place: string, text: string): void {
  if (text.includes("\0") || /\p{Surrogate}/u.test(text)) {
    throw unstorable(place, "text without NUL or lone surrogates", JSON.stringify(text));
  }
}

/** Returns the error for a value that cannot be stored. @param expected The text after "must be". */
export function unstorable(place: string, expected: string, found: string): ArgumentError {
  return new ArgumentError("invalid-argument", `${place} must be ${expected}, found ${found}.`, {
    argument: place,
    reason: "property-value",
  });
}

/** Returns the error for an invalid stored property. @param expected The text after "must have". */
export function corruptProperty(place: string, expected: string, cause?: unknown): RecordError {
  return new RecordError("corrupt-record", `The stored property ${place} must have ${expected}.`, {
    reason: "property-value",
    cause,
  });
}
