import { ArgumentError, RecordError } from "@tfxio/wire/errors";

/** A protobuf message of any type, in the form of `google.protobuf.Any`. */
export interface ProtoValue {
  /** The URL of the message type, such as `type.googleapis.com/my.Message`; never empty. */
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

/**
 * Checks the text of a name, URI or value.
 * @throws {ArgumentError} `invalid-argument` (`property-value`) for lone surrogates, and for NUL, where ML Metadata would
 * truncate the text.
 */
export function assertText(place: string, text: string): void {
  if (text.includes("\0") || /\p{Surrogate}/u.test(text)) {
    throw unstorable(place, "text without NUL or lone surrogates", JSON.stringify(text));
  }
}

export function unstorable(place: string, expected: string, found: string): ArgumentError {
  return new ArgumentError("invalid-argument", `${place} must be ${expected}, found ${found}.`, {
    argument: place,
    reason: "property-value",
  });
}

export function corruptProperty(place: string, expected: string, cause?: unknown): RecordError {
  return new RecordError("corrupt-record", `The stored property ${place} must have ${expected}.`, {
    reason: "property-value",
    cause,
  });
}
