import type { AvroCursor } from "./avro-cursor.js";
import { type AvroType, minBytes } from "../schema/avro-type.js";

/** Skips a value. Checks lengths, but not contents such as UTF-8. Throws the errors of {@link AvroCursor}. */
export function skipValue(type: AvroType, cursor: AvroCursor): void {
  switch (type.kind) {
    case "null":
      return;
    case "boolean":
      cursor.take(1);
      return;
    case "int":
    case "long":
    case "enum":
      cursor.readLong();
      return;
    case "float":
      cursor.take(4);
      return;
    case "double":
      cursor.take(8);
      return;
    case "bytes":
    case "string":
      cursor.take(cursor.readLength());
      return;
    case "decimal":
      cursor.take(type.size ?? cursor.readLength());
      return;
    case "fixed":
      cursor.take(type.size);
      return;
    case "array":
      skipItems(cursor, minBytes(type.items), () => skipValue(type.items, cursor));
      return;
    case "map":
      skipItems(cursor, 1 + minBytes(type.values), () => {
        cursor.take(cursor.readLength());
        skipValue(type.values, cursor);
      });
      return;
    case "record":
      for (const field of type.fields) skipValue(field.type, cursor);
      return;
    case "union": {
      const index = cursor.readInt();
      const branch = type.branches[index];
      if (branch === undefined) {
        throw cursor.malformed(`the branch index ${index} for a union of size ${type.branches.length}`);
      }
      skipValue(branch, cursor);
    }
  }
}

/** Skips the blocks of an array or map. @param itemBytes Minimum size of an item in bytes. */
function skipItems(cursor: AvroCursor, itemBytes: number, skipItem: () => void): void {
  for (let count = cursor.readBlockCount(itemBytes); count > 0; count = cursor.readBlockCount(itemBytes)) {
    for (; count > 0; count--) skipItem();
  }
}
