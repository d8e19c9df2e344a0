import { type Data, DataType, Field, List, type Map_, Struct } from "apache-arrow";

/**
 * Converts a map column to a list of structs with the fields `key` and `value`. Borrows the buffers. Returns other columns
 * unchanged.
 */
export function mapAsList(data: Data): Data {
  if (!DataType.isMap(data.type)) return data;
  const type = mapAsListType(data.type);
  const entries = data.children[0] as Data;
  return data.clone(type as DataType, data.offset, data.length, data.nullCount, data.buffers, [
    entries.clone(type.valueType as DataType),
  ]);
}

/**
 * Returns the type of {@link mapAsList}'s result. Entry fields are always called `key` and `value`, regardless of their names in
 * the file.
 */
export function mapAsListType(type: Map_): List<Struct> {
  const [key, value] = (type.children[0] as Field<Struct>).type.children as [Field, Field];
  const entries = new Struct([
    new Field("key", key.type, key.nullable, key.metadata),
    new Field("value", value.type, value.nullable, value.metadata),
  ]);
  return new List(new Field("entries", entries, false));
}
