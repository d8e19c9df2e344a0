import {
  aName,
  assertKeys,
  assertOptional,
  aString,
  invalidArgument,
  oneOf,
  unusableArgument,
} from "@tfxio/wire/checks";
import type { Database } from "./database.js";
import type { SqlRow } from "./drivers/driver.js";
import type { NodeType, NodeTypeInput } from "./entities.js";
import { type NodeKind, nameOf, PROPERTY_TYPES, type PropertyType, TYPE_KINDS } from "./names.js";
import { idList, safeInteger, textOrUndefined } from "./sql-values.js";
import { assertText } from "./values/value-errors.js";

/** Allowed differences between a stored type and the given type. Both options default to false, as in ML Metadata's client. */
export interface PutTypeOptions {
  /** True to add properties that the stored type lacks. */
  readonly canAddFields?: boolean;
  /** True to accept a given type that lacks some stored properties. The stored type keeps these properties. */
  readonly canOmitFields?: boolean;
}

/** The types of a store. */
export interface TypeStore {
  /**
   * Stores a type. If the store already has a type with this name and version, extends that type instead. Returns the id of the
   * type. A stored type can gain properties and a base type, and gets a new `externalId` if one is given. Its other members stay
   * unchanged.
   * @throws {ArgumentError} `invalid-argument` (`type-conflict`) if the stored type differs in a way that the options do not
   * allow.
   */
  put(kind: NodeKind, type: NodeTypeInput, options?: PutTypeOptions): number;
  /** Returns the type with this name and version, or undefined. Without `version`, only a type without a version matches. */
  get(kind: NodeKind, name: string, version?: string): NodeType | undefined;
  /** Returns the types with these ids, ordered by id. Unknown ids are left out. */
  byId(kind: NodeKind, ids: readonly number[]): readonly NodeType[];
  /** Returns all types of the kind except the system types `mlmd.*`, ordered by id. */
  all(kind: NodeKind): readonly NodeType[];
}

const INPUT_KEYS = {
  name: true,
  version: true,
  description: true,
  externalId: true,
  properties: true,
  baseType: true,
  inputType: true,
  outputType: true,
} satisfies Record<keyof NodeTypeInput, true>;

export function typeStore(database: Database): TypeStore {
  const select = (kind: NodeKind, where: string, ...params: (string | bigint)[]): NodeType[] =>
    database.read(() =>
      database
        .all(
          `SELECT * FROM Type WHERE type_kind = ? AND ${where} ORDER BY id`,
          BigInt(TYPE_KINDS[kind]),
          ...params,
        )
        .map((row) => typeOf(database, row)),
    );
  const get = (kind: NodeKind, name: string, version?: string): NodeType | undefined =>
    version === undefined
      ? select(kind, "name = ? AND version IS NULL", name)[0]
      : select(kind, "name = ? AND version = ?", name, version)[0];
  return {
    get,
    byId: (kind, ids) => select(kind, "id IN (SELECT value FROM json_each(?))", idList(ids)),
    // GLOB, unlike LIKE, distinguishes upper and lower case.
    all: (kind) => select(kind, "name NOT GLOB 'mlmd.*'"),
    put: (kind, type, options = {}) => {
      assertKeys("types.put", options, ["canAddFields", "canOmitFields"]);
      checkType(kind, type);
      return database.write(() => {
        const stored = get(kind, type.name, type.version);
        const id = stored === undefined ? insertType(database, kind, type) : stored.id;
        if (stored !== undefined) extendType(database, stored, type, options);
        if (type.baseType !== undefined)
          linkBaseType(database, { id, kind, stored, baseType: type.baseType });
        return id;
      });
    },
  };
}

function checkType(kind: NodeKind, type: NodeTypeInput): void {
  // `id` is allowed and ignored, so that a type from a read call can be passed.
  assertKeys("types.put", type, [...Object.keys(INPUT_KEYS), "id"]);
  if (!aName.holds(type.name)) throw invalidArgument("name", aName.expected, type.name);
  for (const member of [
    "name",
    "version",
    "description",
    "externalId",
    "baseType",
    "inputType",
    "outputType",
  ] as const) {
    const text = type[member];
    assertOptional(member, text, aString);
    if (text !== undefined) assertText(member, text);
  }
  if (kind !== "execution" && (type.inputType !== undefined || type.outputType !== undefined)) {
    throw unusableArgument("inputType", "and outputType are allowed only for execution types");
  }
  for (const [name, propertyType] of Object.entries(type.properties ?? {})) {
    assertText("properties", name);
    assertOptional(`properties.${name}`, propertyType, oneOf(...Object.keys(PROPERTY_TYPES)));
  }
}

function insertType(database: Database, kind: NodeKind, type: NodeTypeInput): number {
  const id = database.insert(
    "INSERT INTO Type (name, version, type_kind, description, input_type, output_type, external_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
    type.name,
    type.version ?? null,
    BigInt(TYPE_KINDS[kind]),
    type.description ?? null,
    type.inputType ?? null,
    type.outputType ?? null,
    type.externalId ?? null,
  );
  for (const [name, propertyType] of Object.entries(type.properties ?? {}))
    insertField(database, id, name, propertyType);
  return id;
}

function insertField(database: Database, typeId: number, name: string, type: PropertyType): void {
  database.run(
    "INSERT INTO TypeProperty (type_id, name, data_type) VALUES (?, ?, ?)",
    BigInt(typeId),
    name,
    BigInt(PROPERTY_TYPES[type]),
  );
}

function extendType(
  database: Database,
  stored: NodeType,
  given: NodeTypeInput,
  { canAddFields = false, canOmitFields = false }: PutTypeOptions,
): void {
  const fields = given.properties ?? {};
  const conflict = (name: string, problem: string): Error =>
    unusableArgument("properties", problem, { at: `.${name}`, reason: "type-conflict" });
  for (const [name, type] of Object.entries(stored.properties)) {
    const other = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (other === undefined && !canOmitFields)
      throw conflict(
        name,
        `is missing, but the stored type ${stored.name} has it as ${type}; add it, or set canOmitFields`,
      );
    if (other !== undefined && other !== type)
      throw conflict(name, `must be ${type}, as in the stored type ${stored.name}, found ${other}`);
  }
  for (const [name, type] of Object.entries(fields)) {
    if (Object.hasOwn(stored.properties, name)) continue;
    if (!canAddFields)
      throw conflict(name, `is not in the stored type ${stored.name}; omit it, or set canAddFields`);
    insertField(database, stored.id, name, type);
  }
  if (given.externalId !== undefined && given.externalId !== stored.externalId) {
    database.run("UPDATE Type SET external_id = ? WHERE id = ?", given.externalId, BigInt(stored.id));
  }
}

function linkBaseType(
  database: Database,
  {
    id,
    kind,
    stored,
    baseType,
  }: { id: number; kind: NodeKind; stored: NodeType | undefined; baseType: string },
): void {
  if (stored?.baseType === baseType) return;
  if (stored?.baseType !== undefined) {
    throw unusableArgument(
      "baseType",
      `must be ${stored.baseType}, the base type of the stored type, found ${baseType}`,
      {
        reason: "type-conflict",
      },
    );
  }
  const [base] = database.all(
    "SELECT id FROM Type WHERE name = ? AND version IS NULL AND type_kind = ? AND name GLOB 'mlmd.*'",
    baseType,
    BigInt(TYPE_KINDS[kind]),
  );
  if (base === undefined) {
    throw unusableArgument(
      "baseType",
      `must begin with "mlmd." and be the name of a stored system type for ${kind}s, found ${baseType}`,
    );
  }
  database.run(
    "INSERT INTO ParentType (type_id, parent_type_id) VALUES (?, ?)",
    BigInt(id),
    base["id"] as bigint,
  );
}

function typeOf(database: Database, row: SqlRow): NodeType {
  const id = row["id"] as bigint;
  const fields = database.all("SELECT name, data_type FROM TypeProperty WHERE type_id = ? ORDER BY name", id);
  const [base] = database.all(
    "SELECT Type.name FROM ParentType JOIN Type ON Type.id = ParentType.parent_type_id WHERE ParentType.type_id = ?",
    id,
  );
  return {
    id: safeInteger(id, "Type.id"),
    name: row["name"] as string,
    version: textOrUndefined(row["version"]),
    description: textOrUndefined(row["description"]),
    externalId: textOrUndefined(row["external_id"]),
    baseType: textOrUndefined(base?.["name"]),
    inputType: textOrUndefined(row["input_type"]),
    outputType: textOrUndefined(row["output_type"]),
    properties: Object.fromEntries(
      fields.flatMap(({ name, data_type }) => {
        const type = nameOf(PROPERTY_TYPES, data_type);
        return type === undefined ? [] : [[name as string, type]];
      }),
    ),
  };
}
