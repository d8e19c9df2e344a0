import { numberArrays } from "@tfxio/tensor-adapter";
import { aList, anInteger, isObject, isTagged, membersOf, oneOf, rule, type Rule } from "@tfxio/wire/checks";

// Argument rules shared by several functions of this package.

/** The step of a new field: a name that is not empty, or a nonnegative integer for a field without a name. */
export const aFieldName: Rule = rule(
  "a name of at least one character",
  (value) => (typeof value === "string" && value !== "") || anInteger(0).holds(value),
);

/** A {@link DType}: a number type, `bool` or `string`. */
export const aDType: Rule = oneOf(...Object.keys(numberArrays), "string");

/** A `MessageSchema`, checked at every depth. */
export const aMessageSchema: Rule = rule(
  "a schema: an object with { dtype } or { fields } for each name",
  isMessageSchema,
);

/** An Arrow schema. It is recognized by its members, so that schemas from another copy of arrow-js are accepted. */
export const anArrowSchema: Rule = rule("an Arrow schema", isArrowSchema);

/** A record batch, recognized by its members like {@link anArrowSchema}. */
export const aRecordBatch: Rule = rule("a RecordBatch", (value) => {
  const { schema, numRows } = membersOf(value);
  return isArrowSchema(schema) && typeof numRows === "number";
});

/** A list of paths, not a single path. */
export const aListOfPaths: Rule = { ...aList, expected: "a list of paths" };

function isArrowSchema(value: unknown): boolean {
  const { fields, metadata } = membersOf(value);
  return Array.isArray(fields) && isTagged("Map")(metadata);
}

function isMessageSchema(value: unknown): boolean {
  // Rejects arrays and maps. An empty one would otherwise pass as a schema without fields.
  return isObject(value) && !(Symbol.iterator in value) && Object.values(value).every(isFieldSchema);
}

function isFieldSchema(value: unknown): boolean {
  const { dtype, fields } = membersOf(value);
  return dtype === undefined ? isMessageSchema(fields) : aDType.holds(dtype);
}
