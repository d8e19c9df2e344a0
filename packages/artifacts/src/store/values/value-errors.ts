import { ArgumentError, RecordError } from "@tfxio/wire/errors";

/** A protobuf message of any type, as `google.protobuf.Any` holds it. */
export interface ProtoValue {
  /** Such as `type.googleapis.com/my.Message`; never empty. */
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

/**
 * Text of a name, URI or value.
 * @throws {ArgumentError} `invalid-argument` (`property-value`) for NUL, at which the peer cuts, and half surrogate pairs.
 */
export function assertText(place: string, text: string): void {
  if (text.includes("\0") || /\p{Surrogate}/u.test(text)) {
    throw unstorable(place, "text without NUL and lone surrogates", JSON.stringify(text));
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
