import { SchemaError, UnsupportedError } from "@tfxio/wire";
import { anInteger, describeValue, isObject, membersOf } from "@tfxio/wire/checks";
import { type AvroType, type PrimitiveKind, TIME_KINDS, type TimeKind } from "./avro-type.js";

/** Maximum number of columns. Types may refer to each other by name, so a schema of n lines can describe 2^n columns. */
const MAX_COLUMNS = 100_000;
/**
 * Maximum nesting of types in a schema, with each reference by name replaced by the named type. It bounds recursion in the parser
 * and in the decoder.
 */
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
 *   types nested more than 64 levels deep, or more than 100,000 columns, including nested ones.
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
  return parseType(schema, { owner, namespace: "", depth: 0, named: new Map() }).type;
}

/** State of the parser at one type of the schema. */
interface Context {
  readonly owner: string;
  /** Namespace of the enclosing named type, empty if it has none. Completes names without a dot. */
  readonly namespace: string;
  /** Number of types that enclose this type, plus one. */
  readonly depth: number;
  /** Named types by full name, undefined while they are being parsed. */
  readonly named: Map<string, Parsed | undefined>;
}

/** A type and its size. */
interface Parsed {
  readonly type: AvroType;
  /** Number of columns within a column of this type, at all levels. */
  readonly numColumns: number;
  /** Depth of nesting: 1 for a type that contains no other type. */
  readonly numLevels: number;
}

/** @throws {UnsupportedError} `unsupported` (`schema-size`) if a limit is exceeded. */
function parseType(schema: unknown, outer: Context): Parsed {
  const context = { ...outer, depth: outer.depth + 1 };
  if (context.depth > MAX_DEPTH) throw tooLarge(context);
  const parsed = parseAny(schema, context);
  if (parsed.numColumns > MAX_COLUMNS || outer.depth + parsed.numLevels > MAX_DEPTH) throw tooLarge(context);
  return parsed;
}

function parseAny(schema: unknown, context: Context): Parsed {
  if (typeof schema === "string") return typeOfName(schema, context);
  if (Array.isArray(schema)) return parseUnion(schema, context);
  if (!isObject(schema)) throw invalid("a type", schema, context);
  const { type, items, values } = membersOf(schema);
  if (type === "array") {
    const parsed = parseType(items, context);
    return enclosing([parsed], { kind: "array", items: parsed.type });
  }
  if (type === "map") {
    const parsed = parseType(values, context);
    return enclosing([parsed], { kind: "map", values: parsed.type });
  }
  if (type === "record" || type === "enum" || type === "fixed") return parseNamed(schema, context);
  const { type: inner, numColumns, numLevels } = parseType(type, context);
  return { type: withLogicalType(inner, schema), numColumns, numLevels: numLevels + 1 };
}

/** Returns `type` with its size. A column of this type contains one column for each of `children`. */
function enclosing(children: readonly Parsed[], type: AvroType): Parsed {
  return {
    type,
    numColumns: children.reduce((sum, { numColumns }) => sum + 1 + numColumns, 0),
    numLevels: 1 + deepest(children),
  };
}

function deepest(children: readonly Parsed[]): number {
  return children.reduce((most, { numLevels }) => Math.max(most, numLevels), 0);
}

/** Resolves a name in the current namespace, or else as a full name. */
function typeOfName(name: string, context: Context): Parsed {
  if (PRIMITIVES.includes(name)) return enclosing([], { kind: name as PrimitiveKind });
  const { named, namespace, owner } = context;
  const full = [fullName(name, namespace), name].find((candidate) => named.has(candidate));
  if (full === undefined) throw invalid("only types that are built in or already defined", name, context);
  const known = named.get(full);
  if (known === undefined) {
    const message = `${owner}: the Avro type "${name}" contains itself. Columns cannot be recursive.`;
    throw new UnsupportedError(message, { reason: "recursive-type", feature: "recursive Avro types" });
  }
  return known;
}

function parseUnion(schemas: readonly unknown[], context: Context): Parsed {
  const branches = schemas.map((schema) => {
    if (Array.isArray(schema)) throw invalid("no union directly inside a union", schema, context);
    return parseType(schema, context);
  });
  if (branches.length === 0) throw invalid("at least one type in each union", schemas, context);
  const union = enclosing(branches, { kind: "union", branches: branches.map(({ type }) => type) });
  // As in `arrowTypeOf`, null adds no column, and a union with one other type is itself a column of that type.
  const members = branches.filter(({ type }) => type.kind !== "null");
  const numColumns =
    members.length === 1 ? members[0]!.numColumns : enclosing(members, union.type).numColumns;
  return { ...union, numColumns };
}

/** Parses a record, enum or fixed type. Registers its name before it parses the body, so that recursion is detected. */
function parseNamed(schema: object, outer: Context): Parsed {
  const { name, namespace } = membersOf(schema);
  if (typeof name !== "string" || name === "")
    throw invalid("a name for each record, enum and fixed type", name, outer);
  const full = fullName(name, typeof namespace === "string" ? namespace : outer.namespace);
  const context = { ...outer, namespace: full.slice(0, Math.max(0, full.lastIndexOf("."))) };
  context.named.set(full, undefined);
  const body = parseNamedBody(schema, context);
  const known = { ...body, type: withLogicalType(body.type, schema) };
  context.named.set(full, known);
  return known;
}

function parseNamedBody(schema: object, context: Context): Parsed {
  const { type, name: typeName, fields, symbols, size } = membersOf(schema);
  if (type === "fixed") {
    if (!aSize.holds(size)) {
      throw invalid(`${aSize.expected} as the size of the fixed type "${typeName}"`, size, context);
    }
    return enclosing([], { kind: "fixed", size: size as number });
  }
  if (type === "enum") {
    const areNames = Array.isArray(symbols) && symbols.every((symbol) => typeof symbol === "string");
    if (!areNames)
      throw invalid(`a list of strings as the symbols of the enum "${typeName}"`, symbols, context);
    return enclosing([], { kind: "enum", symbols });
  }
  if (!Array.isArray(fields)) throw invalid(`a list of fields for the record "${typeName}"`, fields, context);
  const names = new Set<string>();
  const children = fields.map((field: unknown) => {
    const { name, type: fieldType } = membersOf(field);
    if (typeof name !== "string") throw invalid("a name for each field", field, context);
    if (names.has(name))
      throw invalid(`distinct names for the fields of the record "${typeName}"`, name, context);
    names.add(name);
    return { name, ...parseType(fieldType, context) };
  });
  return enclosing(children, {
    kind: "record",
    fields: children.map(({ name, type: fieldType }) => ({ name, type: fieldType })),
  });
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

function tooLarge({ owner }: Context): UnsupportedError {
  return new UnsupportedError(
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
