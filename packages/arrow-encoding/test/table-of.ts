import {
  type Data,
  type DataType,
  Dictionary as DictionaryType,
  Field,
  List,
  makeData,
  makeVector,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";

/** A column of these values, made by arrow-js. */
export function columnOf(type: DataType, values: readonly unknown[]): Data {
  return vectorFromArray(values as never, type).data[0] as Data;
}

/** A batch of columns by name. Fields are nullable and have no metadata. */
export function batchOf(columns: Readonly<Record<string, Data>>): RecordBatch {
  const fields = Object.entries(columns).map(([name, { type }]) => new Field(name, type, true));
  return batchWith(fields, Object.values(columns));
}

/** A batch of these fields. */
export function batchWith(fields: readonly Field[], children: readonly Data[]): RecordBatch {
  const length = children[0]?.length ?? 0;
  const data = makeData({ type: new Struct([...fields]), length, nullCount: 0, children: [...children] });
  return new RecordBatch(new ArrowSchema([...fields]), data);
}

export function listOf(type: DataType): List {
  return new List(new Field("item", type, true));
}

/** A dictionary-encoded column of texts. `keys` may hold null; `entries` too. */
export function dictionaryOf(entries: readonly (string | null)[], keys: readonly (number | null)[]): Data {
  const dictionary = vectorFromArray([...entries], new Utf8());
  const bitmap = new Uint8Array((keys.length + 7) >> 3);
  keys.forEach((key, row) => {
    if (key !== null) bitmap[row >> 3]! |= 1 << (row & 7);
  });
  const indices = makeVector(Int32Array.from(keys, (key) => key ?? 0));
  const type = new DictionaryType(dictionary.type, indices.type);
  return makeData({
    type,
    length: keys.length,
    nullCount: keys.filter((key) => key === null).length,
    nullBitmap: bitmap,
    data: Int32Array.from(keys, (key) => key ?? 0),
    dictionary,
  });
}
