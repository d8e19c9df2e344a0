import { isListType, listColumn } from "@tfxio/arrow-encoding";
import { ConversionError, UnsupportedError } from "@tfxio/wire";
import { type Data, DataType, type Field, type Map_, type Struct, Vector } from "apache-arrow";
import type { ByteWriter } from "./byte-writer.js";
import { type ColumnWriter, leafWriter, type WriteValue } from "./leaf-writer.js";

/** Returns a new unique name for a record or fixed type. Avro requires such names, but Arrow types have none. */
export type NextName = () => string;

/** A valid name of an Avro field. @see Avro 1.12 specification, "Names" */
const AVRO_NAME = /^[A-Za-z_]\w*$/;

/**
 * Returns the writer of a field, with the field's Avro schema. A nullable field becomes a union of null and its type. A struct
 * becomes a record, a list becomes an array, and a dictionary column gets the type of its values. Avro lacks float16, which
 * becomes float, and times in seconds, which become milliseconds.
 * @param path Name of the column for errors, empty for the row itself.
 * @throws {UnsupportedError} `unsupported` (`column-type`, `column-name`) if Avro cannot represent the field.
 */
export function fieldWriter(field: Field, nextName: NextName, path: string): ColumnWriter {
  const { schema, of } = typeWriter(field.type, nextName, path);
  if (DataType.isNull(field.type)) return { schema, of };
  return {
    schema: field.nullable ? ["null", schema] : schema,
    of(column) {
      const write = of(column);
      const isNull = nullTest(column);
      return (index, out, row) => {
        if (!field.nullable) {
          if (isNull(index)) throw nullValue(path, row);
          write(index, out, row);
          return;
        }
        // Index of the union's branch as a zigzag varint: 0 for null, 1 for the value.
        out.writeByte(isNull(index) ? 0 : 2);
        if (!isNull(index)) write(index, out, row);
      };
    },
  };
}

/** Returns a function that returns true for the indices of a column's nulls. */
function nullTest(column: Data): (index: number) => boolean {
  // A value of a dictionary column is also null if its index refers to a null in the dictionary.
  const values = DataType.isDictionary(column.type) ? new Vector([column]) : undefined;
  if (values !== undefined) return (index) => values.get(index) === null;
  return column.nullCount === 0 ? () => false : (index) => !column.getValid(index);
}

/** Returns the writer of non-null values of a type. */
function typeWriter(type: DataType, nextName: NextName, path: string): ColumnWriter {
  if (DataType.isStruct(type)) return structWriter(type, nextName, path);
  if (isListType(type)) {
    const items = fieldWriter(type.children[0] as Field, nextName, `${path}.item`);
    return {
      schema: { type: "array", items: items.schema },
      of(column) {
        const { rowSplits, values } = listColumn(column);
        const write = items.of(values);
        return (index, out, row) => {
          writeBlock(rowSplits, index, out, (item) => write(item, out, row));
        };
      },
    };
  }
  if (DataType.isMap(type)) return mapWriter(type, nextName, path);
  if (DataType.isDictionary(type)) return dictionaryWriter(type.dictionary as DataType, nextName, path);
  if (DataType.isFixedSizeBinary(type)) return fixedWriter(type.byteWidth, nextName());
  const leaf = leafWriter(type, path);
  if (leaf !== undefined) return leaf;
  const message = `Column "${path}" has type ${type}, which Avro files cannot store.`;
  throw new UnsupportedError(message, { reason: "column-type", feature: `Avro columns of ${type}` });
}

function structWriter(type: Struct, nextName: NextName, path: string): ColumnWriter {
  const name = nextName();
  const fields = type.children.map((field) => {
    const child = path === "" ? field.name : `${path}.${field.name}`;
    if (!AVRO_NAME.test(field.name)) throw badName(child);
    return { name: field.name, writer: fieldWriter(field, nextName, child) };
  });
  return {
    schema: {
      type: "record",
      name,
      fields: fields.map(({ name: fieldName, writer }) => ({ name: fieldName, type: writer.schema })),
    },
    of(column) {
      const writes = fields.map(({ writer }, index) => writer.of(column.children[index] as Data));
      return (index, out, row) => {
        for (const write of writes) write(index, out, row);
      };
    },
  };
}

/** Returns the writer of maps. Avro maps have text keys. */
function mapWriter(type: Map_, nextName: NextName, path: string): ColumnWriter {
  const [key, value] = (type.children[0] as Field<Struct>).type.children as [Field, Field];
  if (!DataType.isUtf8(key.type)) {
    const message = `Column "${path}" is a map with keys of type ${key.type}, but the keys of an Avro map must be text.`;
    throw new UnsupportedError(message, { reason: "column-type", feature: `Avro columns of ${type}` });
  }
  const keys = typeWriter(key.type, nextName, `${path}.key`);
  const values = fieldWriter(value, nextName, `${path}.value`);
  return {
    schema: { type: "map", values: values.schema },
    of(column) {
      const entries = column.children[0] as Data;
      const writeKey = keys.of(entries.children[0] as Data);
      const writeValue = values.of(entries.children[1] as Data);
      return (index, out, row) => {
        writeBlock(column.valueOffsets as Int32Array, index, out, (entry) => {
          writeKey(entry, out, row);
          writeValue(entry, out, row);
        });
      };
    },
  };
}

/** Returns a writer that writes values instead of dictionary indices. The dictionary may have several chunks. */
function dictionaryWriter(type: DataType, nextName: NextName, path: string): ColumnWriter {
  const { schema, of } = typeWriter(type, nextName, path);
  return {
    schema,
    of(column) {
      const { data: chunks } = column.dictionary as Vector;
      const writes = chunks.map(of);
      const indices = column.values as Int32Array;
      return (index, out, row) => {
        let [value, chunk] = [Number(indices[index]), 0];
        for (; value >= (chunks[chunk] as Data).length; chunk++) value -= (chunks[chunk] as Data).length;
        (writes[chunk] as WriteValue)(value, out, row);
      };
    },
  };
}

function fixedWriter(size: number, name: string): ColumnWriter {
  return {
    schema: { type: "fixed", name, size },
    of({ values }) {
      const bytes = values as Uint8Array;
      return (index, out) => out.writeFixed(bytes.subarray(index * size, (index + 1) * size));
    },
  };
}

/** Writes the items of an array or map as one block. An empty array or map has no block, only the final zero. */
function writeBlock(
  offsets: Int32Array,
  index: number,
  out: ByteWriter,
  write: (item: number) => void,
): void {
  const [start, end] = [offsets[index] as number, offsets[index + 1] as number];
  if (end > start) out.writeNumber(end - start);
  for (let item = start; item < end; item++) write(item);
  out.writeNumber(0);
}

function badName(path: string): UnsupportedError {
  const message = `Column "${path}" has a name that Avro does not allow. Use letters, digits and "_", with no leading digit.`;
  return new UnsupportedError(message, { reason: "column-name", feature: "Avro columns with such names" });
}

function nullValue(columnPath: string, row: number): ConversionError {
  const message = `Column "${columnPath}" has a null in row ${row}, although its field is not nullable.`;
  return new ConversionError("not-convertible", message, { reason: "null-value", columnPath, row });
}
