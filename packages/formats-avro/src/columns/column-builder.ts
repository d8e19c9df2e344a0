import type { DataType } from "apache-arrow";
import { arrowTypeOf, membersOfUnion } from "../schema/arrow-type.js";
import { type AvroType, minBytes, type RecordType, type UnionType } from "../schema/avro-type.js";
import type { AvroCursor } from "./avro-cursor.js";
import { type BatchMemory, Growable, NullRows, RowEnds } from "./growable.js";
import {
  booleanBuilder,
  bytesBuilder,
  type ColumnBuilder,
  dataOf,
  decimalBuilder,
  enumBuilder,
  nullBuilder,
  valueBuilder,
} from "./leaf-builders.js";

/** Creates a builder for a column of the Arrow type that {@link arrowTypeOf} returns. */
export function createColumnBuilder(type: AvroType, memory: BatchMemory): ColumnBuilder {
  switch (type.kind) {
    case "null":
      return nullBuilder();
    case "boolean":
      return booleanBuilder(arrowTypeOf(type), memory);
    case "int":
      return valueBuilder(
        arrowTypeOf(type),
        new Growable<Int32Array>(new Int32Array(0), memory),
        1,
        (cursor, values, at) => {
          values[at] = cursor.readInt();
        },
      );
    case "long":
      // Stores two 32-bit halves per value, the low half first. arrow-js reads each pair as one 64-bit integer.
      return valueBuilder(
        arrowTypeOf(type),
        new Growable<Int32Array>(new Int32Array(0), memory),
        2,
        (cursor, values, at) => {
          cursor.readLong();
          values[at] = cursor.low;
          values[at + 1] = cursor.high;
        },
      );
    case "float":
      return valueBuilder(
        arrowTypeOf(type),
        new Growable<Float32Array>(new Float32Array(0), memory),
        1,
        (cursor, values, at) => {
          values[at] = cursor.readFloat();
        },
      );
    case "double":
      return valueBuilder(
        arrowTypeOf(type),
        new Growable<Float64Array>(new Float64Array(0), memory),
        1,
        (cursor, values, at) => {
          values[at] = cursor.readDouble();
        },
      );
    case "bytes":
    case "string":
      return bytesBuilder(arrowTypeOf(type), memory, { isText: type.kind === "string" });
    case "decimal":
      return decimalBuilder(type, memory);
    case "fixed":
      return valueBuilder(
        arrowTypeOf(type),
        new Growable<Uint8Array>(new Uint8Array(0), memory),
        type.size,
        (cursor, values, at) => {
          const start = cursor.take(type.size);
          values.set(cursor.bytes.subarray(start, start + type.size), at);
        },
      );
    case "enum":
      return enumBuilder(arrowTypeOf(type), type.symbols, memory);
    case "array":
      return listBuilder(
        arrowTypeOf(type),
        createColumnBuilder(type.items, memory),
        minBytes(type.items),
        memory,
      );
    case "map": {
      const entry: RecordType = {
        kind: "record",
        fields: [
          { name: "key", type: { kind: "string" } },
          { name: "value", type: type.values },
        ],
      };
      return listBuilder(arrowTypeOf(type), recordBuilder(entry, memory), 1 + minBytes(type.values), memory);
    }
    case "record":
      return recordBuilder(type, memory);
    case "union":
      return unionBuilder(type, memory);
  }
}

/** Creates a builder of lists or maps. The items of a map are its entries. @param itemBytes Minimum size of an item in bytes. */
function listBuilder(
  type: DataType,
  items: ColumnBuilder,
  itemBytes: number,
  memory: BatchMemory,
): ColumnBuilder {
  const [offsets, nulls] = [new RowEnds(memory), new NullRows(memory)];
  let numItems = 0;
  return {
    append(cursor) {
      for (
        let count = cursor.readBlockCount(itemBytes);
        count > 0;
        count = cursor.readBlockCount(itemBytes)
      ) {
        numItems += count;
        for (; count > 0; count--) items.append(cursor);
      }
      offsets.end(numItems, cursor);
    },
    appendNull() {
      nulls.add(offsets.numRows);
      offsets.end(numItems);
    },
    finish: () =>
      dataOf(type, offsets.numRows, nulls, { valueOffsets: offsets.taken(), child: items.finish() }),
  };
}

/** Creates a builder that appends each field of a record to the child with the same index. */
function recordBuilder(type: RecordType, memory: BatchMemory): ColumnBuilder {
  const fields = type.fields.map((field) => createColumnBuilder(field.type, memory));
  return structBuilder(arrowTypeOf(type), fields, memory, (cursor) => {
    for (const field of fields) field.append(cursor);
  });
}

/**
 * Creates a builder for a union. A union with a single branch other than null becomes a column of that branch's type. Any
 * other union becomes a struct. In each row, only the child of the chosen branch has a value.
 */
function unionBuilder(type: UnionType, memory: BatchMemory): ColumnBuilder {
  const { members } = membersOfUnion(type);
  const builders = members.map((member) => createColumnBuilder(member, memory));
  const [only] = builders;
  // -1 for the null branch.
  const memberOf = type.branches.map((branch) => members.indexOf(branch));
  const readBranch = (cursor: AvroCursor): number => {
    const index = cursor.readInt();
    const member = memberOf[index];
    if (member === undefined)
      throw cursor.malformed(`the branch index ${index} for a union of size ${memberOf.length}`);
    return member;
  };
  if (only !== undefined && builders.length === 1) {
    return {
      ...only,
      append: (cursor) => (readBranch(cursor) < 0 ? only.appendNull() : only.append(cursor)),
    };
  }
  return structBuilder(arrowTypeOf(type), builders, memory, (cursor) => {
    const chosen = readBranch(cursor);
    if (chosen < 0) return false;
    for (const [index, builder] of builders.entries()) {
      if (index === chosen) builder.append(cursor);
      else builder.appendNull();
    }
    return true;
  });
}

/** Creates a builder of structs. @param read Appends a row to all children, or returns false for a null row. */
function structBuilder(
  type: DataType,
  children: readonly ColumnBuilder[],
  memory: BatchMemory,
  read: (cursor: AvroCursor) => boolean | void,
): ColumnBuilder {
  const nulls = new NullRows(memory);
  let numRows = 0;
  const appendNull = (): void => {
    for (const child of children) child.appendNull();
    nulls.add(numRows++);
  };
  return {
    append(cursor) {
      if (read(cursor) === false) appendNull();
      else numRows++;
    },
    appendNull,
    finish: () => dataOf(type, numRows, nulls, { children: children.map((child) => child.finish()) }),
  };
}
