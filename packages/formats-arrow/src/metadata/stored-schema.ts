import {
  Binary,
  type DataType,
  DenseUnion,
  Dictionary,
  Field,
  FixedSizeList,
  type Int,
  Int32,
  LargeBinary,
  LargeList,
  LargeUtf8,
  List,
  Map_,
  SparseUnion,
  Struct,
  Utf8,
} from "apache-arrow";
import type { FlatTable } from "../flatbuffer/flat-table.js";
import { keyValues, unsupportedIn, type VersionedSchema } from "./message.js";
import type { Layout, OffsetBytes, StoredColumn, StoredSchema } from "./stored-column.js";
import {
  boolType,
  dateType,
  decimalType,
  durationType,
  fixedSizeBinaryType,
  floatType,
  intervalType,
  intType,
  nullType,
  sizeOf,
  timestampType,
  timeType,
  type ValueType,
} from "./value-types.js";

/** Maximum nesting of columns: the default of Arrow C++ (`IpcReadOptions.max_recursion_depth`). */
const MAX_DEPTH = 64;
const BIG_ENDIAN = 1;

/**
 * Returns the columns that a schema message or a footer describes.
 * @throws {RecordError} `malformed-payload` (`metadata`).
 * @throws {UnsupportedError} `unsupported` for an unknown type.
 * @see https://github.com/apache/arrow/blob/main/format/Schema.fbs
 */
export function parseSchema({ table, hasLayouts }: VersionedSchema): StoredSchema {
  const parser = new SchemaParser(table, hasLayouts ? 7 : 6);
  const columns = table.tables(1).map((field) => parser.column(field, { parent: "", depth: 1 }));
  return {
    columns,
    metadata: keyValues(table, 2),
    isBigEndian: table.int16(0) === BIG_ENDIAN,
    dictionaries: parser.dictionaries,
  };
}

interface Nesting {
  readonly parent: string;
  readonly depth: number;
}

/** The parts from which the type of a field is made. */
interface Parts {
  readonly table: FlatTable;
  readonly path: string;
  readonly children: readonly StoredColumn[];
}

interface ColumnType extends ValueType {
  readonly children?: readonly StoredColumn[];
}

class SchemaParser {
  readonly dictionaries = new Map<number, StoredColumn>();
  readonly #schema: FlatTable;
  readonly #metadataField: number;

  /** @param metadataField Field number of a column's metadata. Larger in old schemas, where layouts precede the metadata. */
  constructor(schema: FlatTable, metadataField: number) {
    this.#schema = schema;
    this.#metadataField = metadataField;
  }

  column(table: FlatTable, { parent, depth }: Nesting): StoredColumn {
    const name = table.string(0) ?? "";
    const path = `${parent}${name}`;
    if (depth > MAX_DEPTH) throw table.malformed(`its columns are nested deeper than ${MAX_DEPTH} levels`);
    const children = table
      .tables(5)
      .map((child) => this.column(child, { parent: `${path}.`, depth: depth + 1 }));
    const values = this.#typeOf(table, { table: table.required(3, "type"), path, children });
    const encoding = table.table(4);
    const nullable = table.bool(1);
    const columnOf = ({ type, layout, children: own = [] }: ColumnType): StoredColumn => {
      const field = new Field(name, type, nullable, keyValues(table, this.#metadataField));
      return { path, layout, field, children: own, isRead: true };
    };
    return columnOf(encoding === undefined ? values : this.#dictionaryOf(encoding, columnOf(values)));
  }

  /**
   * Returns the type of a dictionary column. Columns that share a dictionary also share one object for its value type, because
   * schemas of arrow-js compare value types by identity.
   */
  #dictionaryOf(encoding: FlatTable, values: StoredColumn): ColumnType {
    const id = encoding.dictionaryId(0);
    const index = encoding.table(1);
    // The format's default index type is int32.
    const { bitWidth, isSigned } = index === undefined ? new Int32() : (intType(index).type as Int);
    const known = this.dictionaries.get(id);
    if (known !== undefined && String(known.field.type) !== String(values.field.type)) {
      throw this.#schema.malformed(
        `dictionary ${id} has values of type ${known.field.type} in "${known.path}", but ${values.field.type} in "${values.path}"`,
      );
    }
    if (known === undefined) this.dictionaries.set(id, values);
    const { field } = known ?? values;
    // arrow-js looks up values by number, but 64-bit indices are bigints.
    const indices =
      index === undefined || bitWidth === 64 ? new Int32() : (intType(index).type as Dictionary["indices"]);
    return {
      type: new Dictionary(field.type, indices, id, encoding.bool(2)),
      layout: { kind: "dictionary", id, indexBytes: (bitWidth / 8) as 1 | 2 | 4 | 8, isSigned },
    };
  }

  #typeOf(field: FlatTable, { table, path, children }: Parts): ColumnType {
    const fields = children.map((child) => child.field);
    const only = (what: string): Field => {
      const [child] = fields;
      if (child !== undefined && fields.length === 1) return child;
      throw field.malformed(`"${path}" is a ${what} with ${fields.length} children, expected 1`);
    };
    const list = (kind: "list" | "list-view", offsetBytes: OffsetBytes): ColumnType => {
      const item = only("list");
      const type = offsetBytes === 4 ? new List(item) : new LargeList(item);
      return { type, layout: { kind, offsetBytes }, children };
    };
    const typeId = field.int8(2);
    switch (typeId) {
      case 1:
        return nullType;
      case 2:
        return intType(table);
      case 3:
        return floatType(table);
      case 4:
        return bytesType(new Binary(), 4);
      case 5:
        return bytesType(new Utf8(), 4);
      case 6:
        return boolType;
      case 7:
        return decimalType(table);
      case 8:
        return dateType(table);
      case 9:
        return timeType(table);
      case 10:
        return timestampType(table);
      case 11:
        return intervalType(table);
      case 12:
        return list("list", 4);
      case 13:
        return { type: new Struct(fields), layout: { kind: "struct" }, children };
      case 14:
        return unionType(table, { table, path, children });
      case 15:
        return fixedSizeBinaryType(table);
      case 16: {
        const size = sizeOf(table, "list size");
        return {
          type: new FixedSizeList(size, only("list")),
          layout: { kind: "fixed-list", size },
          children,
        };
      }
      case 17:
        return mapType(table, only("map"), children);
      case 18:
        return durationType(table);
      case 19:
        return bytesType(new LargeBinary(), 8);
      case 20:
        return bytesType(new LargeUtf8(), 8);
      case 21:
        return list("list", 8);
      case 22:
        return runEndsType(table, { table, path, children });
      case 23:
        return { type: new Binary(), layout: { kind: "views" } };
      case 24:
        return { type: new Utf8(), layout: { kind: "views" } };
      case 25:
        return list("list-view", 4);
      case 26:
        return list("list-view", 8);
      default:
        throw unsupportedIn(
          field.place,
          `has column "${path}" of the unknown type ${typeId}`,
          `Arrow type ${typeId}`,
        );
    }
  }
}

function bytesType(type: DataType, offsetBytes: OffsetBytes): ColumnType {
  return { type, layout: { kind: "bytes", offsetBytes } };
}

function mapType(table: FlatTable, entries: Field, children: readonly StoredColumn[]): ColumnType {
  const [{ layout, children: parts } = { layout: undefined, children: [] }] = children;
  if (layout?.kind !== "struct" || parts.length !== 2) {
    throw table.malformed(`the entries of a map are ${entries.type}, expected a struct of a key and a value`);
  }
  // arrow-js renames the fields of a map (entries, key and value) to the names in the specification.
  return { type: new Map_(entries, table.bool(0)), layout: { kind: "list", offsetBytes: 4 }, children };
}

function unionType(table: FlatTable, { path, children }: Parts): ColumnType {
  const isDense = table.int16(0) === 1;
  const given = table.int32s(1);
  const typeIds = given.length === 0 ? children.map((_, index) => index) : given;
  const isUsable = (id: number): boolean => id >= 0 && id <= 127;
  if (
    typeIds.length !== children.length ||
    !typeIds.every(isUsable) ||
    new Set(typeIds).size < typeIds.length
  ) {
    throw table.malformed(
      `union "${path}" has ${children.length} children and the type ids [${typeIds.join(", ")}], ` +
        `expected one distinct id from 0 to 127 for each child`,
    );
  }
  const Union = isDense ? DenseUnion : SparseUnion;
  const fields = children.map(({ field }) => field);
  return { type: new Union(typeIds, fields), layout: { kind: "union", isDense, typeIds }, children };
}

function runEndsType(table: FlatTable, { path, children }: Parts): ColumnType {
  const [ends, values] = children;
  const bits = (ends?.field.type as { readonly bitWidth?: number } | undefined)?.bitWidth;
  const isInt = ends?.layout.kind === "fixed" && /^Int(16|32|64)$/.test(String(ends.field.type));
  if (!isInt || values === undefined || children.length !== 2 || bits === undefined) {
    const types = children.map(({ field }) => String(field.type)).join(", ");
    const found = types === "" ? "no children" : `children of type ${types}`;
    throw table.malformed(
      `run-end encoded column "${path}" has ${found}, expected two: run ends of type Int16, Int32 or Int64, and values`,
    );
  }
  return { type: values.field.type as DataType, layout: { kind: "run-ends" } satisfies Layout, children };
}
