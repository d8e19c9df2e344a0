import { create, fromBinary, fromJson, type JsonObject, toBinary, toJson } from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { AnySchema, StructSchema } from "@bufbuild/protobuf/wkt";
import { describeValue, isTagged } from "@tfxio/wire/checks";
import { corruptProperty, type ProtoValue, unstorable } from "./value-errors.js";

/**
 * Prefix that marks a Struct in the column `string_value`, since Structs have no column of their own.
 * @see `struct_utils.cc` of ML Metadata
 */
const STRUCT_PREFIX = "mlmd-struct::";

/** True if the text of `string_value` represents a Struct. */
export function isStructText(text: string): boolean {
  return text.startsWith(STRUCT_PREFIX);
}

/**
 * Encodes a Struct as text for the column `string_value`.
 * @throws {ArgumentError} `invalid-argument` (`property-value`) if the object would not be the same after reading it back.
 */
export function structToText(place: string, struct: JsonObject): string {
  try {
    const bytes = toBinary(StructSchema, fromJson(StructSchema, struct));
    // The comparison rejects lone surrogates, which UTF-8 would replace. `toJson` itself rejects NaN and the infinities.
    const kept = JSON.stringify(toJson(StructSchema, fromBinary(StructSchema, bytes)));
    if (kept === JSON.stringify(struct)) return STRUCT_PREFIX + base64Encode(bytes);
  } catch (error) {
    throw unstorable(
      place,
      "an object of JSON values",
      `an object that cannot be encoded (${String(error)})`,
    );
  }
  throw unstorable(place, "an object of JSON values without lone surrogates", JSON.stringify(struct));
}

/**
 * Decodes a Struct from the text in `string_value`.
 * @throws {RecordError} `corrupt-record` (`property-value`) if the text does not hold a valid Struct.
 */
export function structFromText(place: string, text: string): JsonObject {
  return decoded(place, "a Struct in base64", () =>
    toJson(StructSchema, fromBinary(StructSchema, base64Decode(text.slice(STRUCT_PREFIX.length)))),
  );
}

/**
 * Encodes a message as text for the column `proto_value`. On SQLite, ML Metadata stores the serialized Any in base64.
 * @throws {ArgumentError} `invalid-argument` (`property-value`) if `typeUrl` is empty or `value` is not a Uint8Array.
 */
export function anyToText(place: string, { typeUrl, value }: ProtoValue): string {
  if (typeof typeUrl !== "string" || typeUrl === "") {
    throw unstorable(place, "a proto with a non-empty typeUrl", describeValue(typeUrl));
  }
  if (!isTagged("Uint8Array")(value)) {
    throw unstorable(place, "a proto with a Uint8Array as value", describeValue(value));
  }
  return base64Encode(toBinary(AnySchema, create(AnySchema, { typeUrl, value })));
}

/**
 * Decodes a message from the text in `proto_value`.
 * @throws {RecordError} `corrupt-record` (`property-value`) if the text does not hold a valid Any.
 */
export function anyFromText(place: string, text: string): ProtoValue {
  return decoded(place, "an Any in base64", () => {
    const { typeUrl, value } = fromBinary(AnySchema, base64Decode(text));
    return { typeUrl, value };
  });
}

function decoded<Result>(place: string, expected: string, decode: () => Result): Result {
  try {
    return decode();
  } catch (error) {
    throw corruptProperty(place, expected, error);
  }
}
