import { create, fromBinary, fromJson, type JsonObject, toBinary, toJson } from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { AnySchema, StructSchema } from "@bufbuild/protobuf/wkt";
import { isTagged } from "@tfxio/wire/checks";
import { corruptProperty, type ProtoValue, unstorable } from "./value-errors.js";

/** Prefix that marks a Struct in `string_value`, since Structs have no column. @see `struct_utils.cc` of ML Metadata */
const STRUCT_PREFIX = "mlmd-struct::";

export function isStructText(text: string): boolean {
  return text.startsWith(STRUCT_PREFIX);
}

/** Returns the text of `string_value` for a Struct. @throws {ArgumentError} `invalid-argument` (`property-value`) */
export function structToText(place: string, struct: JsonObject): string {
  try {
    const bytes = toBinary(StructSchema, fromJson(StructSchema, struct));
    // Rejects lone surrogates, which would become another character, and NaN, which JSON cannot represent.
    const kept = JSON.stringify(toJson(StructSchema, fromBinary(StructSchema, bytes)));
    if (kept === JSON.stringify(struct)) return STRUCT_PREFIX + base64Encode(bytes);
  } catch (error) {
    throw unstorable(place, "an object of JSON values", String(error));
  }
  throw unstorable(place, "an object of JSON values that UTF-8 can hold", JSON.stringify(struct));
}

/** @throws {RecordError} `corrupt-record` (`property-value`) */
export function structFromText(place: string, text: string): JsonObject {
  return decoded(place, "a Struct in base64", () =>
    toJson(StructSchema, fromBinary(StructSchema, base64Decode(text.slice(STRUCT_PREFIX.length)))),
  );
}

/** Returns the text of `proto_value`. On SQLite, ML Metadata stores the bytes of the Any in base64. */
export function anyToText(place: string, { typeUrl, value }: ProtoValue): string {
  if (typeof typeUrl !== "string" || typeUrl === "" || !isTagged("Uint8Array")(value)) {
    throw unstorable(place, "a proto with a non-empty typeUrl and a Uint8Array as value", typeof typeUrl);
  }
  return base64Encode(toBinary(AnySchema, create(AnySchema, { typeUrl, value })));
}

/** @throws {RecordError} `corrupt-record` (`property-value`) */
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
