import type { JsonValue } from "@bufbuild/protobuf";
import { assertSchema } from "./argument-rules.js";
import { ColumnPath } from "./column-path.js";
import type { Schema } from "./generated/tensorflow_metadata/proto/v0/schema_pb.js";
import { schemaToJson } from "./schema-codec.js";

/** A difference between two schemas: a field that differs, or an element that only one schema has. JSON-safe. */
export interface SchemaDifference {
  /**
   * Protobuf JSON name of the list that contains the differing element, such as `feature` or `stringDomain`. `schema` for fields
   * of the schema itself.
   */
  readonly element: string;
  /**
   * Path of a feature in the form of `ColumnPath.toString`, or the name of any other element. Empty for fields of the schema
   * itself.
   */
  readonly name: string;
  /** Protobuf JSON name of the field that differs. Absent if one schema lacks the whole element. */
  readonly field?: string | undefined;
  /** Value in the first schema, in JSON form; absent if that schema lacks it. */
  readonly left?: JsonValue | undefined;
  /** Value in the second schema, in JSON form; absent if that schema lacks it. */
  readonly right?: JsonValue | undefined;
}

/** A message in protobuf's JSON form. */
type JsonMessage = Readonly<Record<string, JsonValue>>;

/**
 * Returns the differences between two schemas; empty for equal schemas. Elements are matched by name, so the order of features
 * and fields does not matter. The index features of a sparse feature are compared in order, and so is every list whose elements
 * have no unique names. Features inside structs are named by their path, such as `user.age`. Unknown fields are ignored.
 * @throws {ArgumentError} `invalid-argument` for a value that is not a schema.
 * @throws {SchemaError} `schema-invalid`, reason `message-value`, for a schema that has no JSON form.
 */
export function compareSchemas(left: Schema, right: Schema): readonly SchemaDifference[] {
  assertSchema(left);
  assertSchema(right);
  const differences: SchemaDifference[] = [];
  compareFields(
    { element: "schema", name: "", path: [] },
    schemaToJson(left) as JsonMessage,
    schemaToJson(right) as JsonMessage,
    differences,
  );
  return differences;
}

/** The element whose fields are being compared. */
interface Place {
  readonly element: string;
  readonly name: string;
  /** Names of the enclosing elements, then this element's own name; empty for the schema itself. */
  readonly path: readonly string[];
}

/** Compares two elements field by field. The children of structs are compared as features, not as a field of the struct. */
function compareFields(
  place: Place,
  left: JsonMessage,
  right: JsonMessage,
  differences: SchemaDifference[],
): void {
  for (const field of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [before, after] = [left[field], right[field]];
    // The order of index features determines the order of the dimensions, so these lists are compared whole, not matched by name.
    const isOrdered = field === "indexFeature";
    const parts = isOrdered ? [] : [namedParts(before), namedParts(after)];
    if (field === "structDomain" && isMessage(before) && isMessage(after)) {
      compareFields(place, before, after, differences);
    } else if (parts[0] !== undefined && parts[1] !== undefined) {
      compareParts({ ...place, element: field }, parts[0], parts[1], differences);
    } else if (!isEqual(before, after)) {
      const { element, name } = place;
      differences.push({
        element,
        name,
        field,
        ...(before !== undefined && { left: before }),
        ...(after !== undefined && { right: after }),
      });
    }
  }
}

/** Compares elements of the same name in two lists. An element in only one list is one difference. */
function compareParts(
  place: Place,
  left: ReadonlyMap<string, JsonMessage>,
  right: ReadonlyMap<string, JsonMessage>,
  differences: SchemaDifference[],
): void {
  const { element } = place;
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const path = [...place.path, key];
    const name = element === "feature" ? new ColumnPath(path).toString() : key;
    const [before, after] = [left.get(key), right.get(key)];
    if (before !== undefined && after !== undefined)
      compareFields({ element, name, path }, before, after, differences);
    else if (before !== undefined) differences.push({ element, name, left: before });
    else if (after !== undefined) differences.push({ element, name, right: after });
  }
}

/**
 * Returns the elements of a list of uniquely named messages, by name. Empty for an absent list, undefined for any other value.
 */
function namedParts(value: JsonValue | undefined): ReadonlyMap<string, JsonMessage> | undefined {
  if (value === undefined) return new Map();
  if (!Array.isArray(value)) return undefined;
  const parts = new Map<string, JsonMessage>();
  for (const part of value) {
    const name = isMessage(part) ? part["name"] : undefined;
    if (typeof name !== "string" || parts.has(name)) return undefined;
    parts.set(name, part as JsonMessage);
  }
  return parts;
}

function isMessage(value: JsonValue | undefined): value is JsonMessage {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Compares two JSON values. The order of keys does not matter; the order of list elements does. */
function isEqual(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return JSON.stringify(left, withSortedKeys) === JSON.stringify(right, withSortedKeys);
}

/** Sorts the keys of objects, as a replacer for `JSON.stringify`, so that the text does not depend on their order. */
function withSortedKeys(_: string, value: JsonValue): JsonValue {
  if (!isMessage(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
