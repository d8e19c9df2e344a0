import { SchemaError, UnsupportedError } from "@tfxio/wire";
import { anInteger, describeValue, isObject, membersOf } from "@tfxio/wire/checks";
import { type AvroType, type PrimitiveKind, TIME_KINDS, type TimeKind } from "./avro-type.js";

/** Maximum number of columns. Types may refer to each other by name, so a schema of n lines can describe 2^n columns. */
const MAX_COLUMNS = 100_000;
/** Maximum depth of nested types. It bounds recursion in the parser and in the decoder. */
const MAX_DEPTH = 64;
const PRIMITIVES: readonly unknown[] = [
  "null",
  "boolean",
  "int",
  "long",
  "float",
  "double",
  "bytes",
  "string",
] satisfies readonly PrimitiveKind[];
/** Maximum precision of Arrow's Decimal256. */
const MAX_PRECISION = 76;
const aPrecision = anInteger(1, MAX_PRECISION);
const aSize = anInteger(0);

/**
 * Parses an Avro schema. Aliases, defaults and unknown logical types do not affect how data is stored, so they are ignored.
 * @param text The schema as JSON.
 * @param owner Name of the schema in error messages.
 * @throws {SchemaError} `schema-invalid` (`avro-schema`) if `text` is not an Avro schema.
 * @throws {UnsupportedError} `unsupported` (`recursive-type`) if a type contains itself, or (`schema-size`) if the schema has
 *   more than 100,000 columns or 64 levels.
 * @see Avro 1.12 specification, "Schema Declaration"
 */
export function parseAvroSchema(text: string, owner: string): AvroType {
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch (cause) {
    throw new SchemaError("schema-invalid", `${owner}: the Avro schema is not JSON.`, {
      reason: "avro-schema",
      cause,
    });
  }
  return parseType(schema, { owner, namespace: "", depth: 0, named: new Map(), counter: { numColumns: 0 } });
}

/** State of the parser at one type of the schema. */
interface Context {
  readonly owner: string;
  /** Namespace of the enclosing named type, empty if it has none. Completes names without a dot. */
  readonly namespace: string;
  /** Number of types that enclose this type, plus one. */
  readonly depth: number;
  /** Named types by full name. `type` is absent while the type is being parsed. */
  readonly named: Map<string, { type?: AvroType; numColumns: number }>;
  readonly counter: { numColumns: number };
}

function parseType(schema: unknown, outer: Context): AvroType {
  const context = { ...outer, depth: outer.depth + 1 };
  countColumns(1, context);
  if (typeof schema === "string") return typeOfName(schema, context);
  if (Array.isArray(schema)) return parseUnion(schema, context);
  if (!isObject(schema)) throw invalid("a type", schema, context);
  const { type, items, values } = membersOf(schema);
  if (type === "array") return { kind: "array", items: parseType(items, context) };
  if (type === "map") return { kind: "map", values: parseType(values, context) };
  if (type === "record" || type === "enum" || type === "fixed") return parseNamed(schema, context);
  return withLogicalType(parseType(type, context), schema);
}

/** Resolves a name in the current namespace, or else as a full name. Counts the columns of the named type again. */
function typeOfName(name: string, context: Context): AvroType {
  if (PRIMITIVES.includes(name)) return { kind: name as PrimitiveKind };
  const { named, owner } = context;
  const known = named.get(fullName(name, context.namespace)) ?? named.get(name);
  if (known === undefined) throw invalid("only names of types that it has defined before", name, context);
  if (known.type === undefined) {
    const message = `${owner}: the Avro type "${name}" contains itself. Columns cannot be recursive.`;
    throw new UnsupportedError(message, { reason: "recursive-type", feature: "recursive Avro types" });
  }
  countColumns(known.numColumns, context);
  return known.type;
}

function parseUnion(schemas: readonly unknown[], context: Context): AvroType {
  const branches = schemas.map((schema) => {
    if (Array.isArray(schema)) throw invalid("no union directly inside a union", schema, context);
    return parseType(schema, context);
  });
  const [first] = branches;
  if (first === undefined) throw invalid("at least one type in each union", schemas, context);
  return { kind: "union", branches };
}

/** Parses a record, enum or fixed type, and registers its name before its body so that a recursive reference is detected. */
function parseNamed(schema: object, outer: Context): AvroType {
  const { name, namespace } = membersOf(schema);
  if (typeof name !== "string" || name === "")
    throw invalid("a name for each record, enum and fixed type", name, outer);
  const full = fullName(name, typeof namespace === "string" ? namespace : outer.namespace);
  const context = { ...outer, namespace: full.slice(0, Math.max(0, full.lastIndexOf("."))) };
  const known: { type?: AvroType; numColumns: number } = { numColumns: 0 };
  context.named.set(full, known);
  const before = context.counter.numColumns;
  known.type = withLogicalType(parseNamedBody(schema, context), schema);
  known.numColumns = context.counter.numColumns - before;
  return known.type;
}

function parseNamedBody(schema: object, context: Context): AvroType {
  const { type, fields, symbols, size } = membersOf(schema);
  if (type === "fixed") {
    if (!aSize.holds(size)) throw invalid(`a size that is ${aSize.expected}`, size, context);
    return { kind: "fixed", size: size as number };
  }
  if (type === "enum") {
    const areNames = Array.isArray(symbols) && symbols.every((symbol) => typeof symbol === "string");
    if (!areNames) throw invalid("a list of symbols", symbols, context);
    return { kind: "enum", symbols };
  }
  if (!Array.isArray(fields)) throw invalid("a list of fields", fields, context);
  const names = new Set<string>();
  return {
    kind: "record",
    fields: fields.map((field: unknown) => {
      const { name, type: fieldType } = membersOf(field);
      if (typeof name !== "string") throw invalid("a name for each field", field, context);
      if (names.has(name)) throw invalid("fields with different names", name, context);
      names.add(name);
      return { name, type: parseType(fieldType, context) };
    }),
  };
}

/** Adds the logical type of a schema to a type. Ignores a logical type that does not fit the underlying type. */
function withLogicalType(type: AvroType, schema: object): AvroType {
  const { logicalType, precision, scale = 0 } = membersOf(schema);
  if (logicalType === "decimal" && (type.kind === "bytes" || type.kind === "fixed")) {
    const isUsable = aPrecision.holds(precision) && anInteger(0, precision as number).holds(scale);
    const size = type.kind === "fixed" ? type.size : undefined;
    return isUsable
      ? { kind: "decimal", size, precision: precision as number, scale: scale as number }
      : type;
  }
  if (type.kind !== "int" && type.kind !== "long") return type;
  const isTime = typeof logicalType === "string" && Object.hasOwn(TIME_KINDS, logicalType);
  if (!isTime || TIME_KINDS[logicalType as TimeKind] !== type.kind) return type;
  return { ...type, logical: logicalType as TimeKind };
}

function fullName(name: string, namespace: string): string {
  return name.includes(".") || namespace === "" ? name : `${namespace}.${name}`;
}

/** Adds to the number of columns. @throws {UnsupportedError} `unsupported` (`schema-size`) if a limit is exceeded. */
function countColumns(added: number, { counter, depth, owner }: Context): void {
  counter.numColumns += added;
  if (counter.numColumns <= MAX_COLUMNS && depth <= MAX_DEPTH) return;
  throw new UnsupportedError(
    `${owner}: the Avro schema has more than ${MAX_COLUMNS} columns, or more than ${MAX_DEPTH} levels.`,
    { reason: "schema-size", feature: "Avro schemas of this size" },
  );
}

function invalid(expected: string, found: unknown, { owner }: Context): SchemaError {
  return new SchemaError(
    "schema-invalid",
    `${owner}: the Avro schema must have ${expected}, found ${describeValue(found)}.`,
    { reason: "avro-schema", expected, actual: describeValue(found) },
  );
}
