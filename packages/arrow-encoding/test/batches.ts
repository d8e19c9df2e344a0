import {
  Data,
  type DataType,
  Dictionary as DictionaryType,
  Field,
  LargeList,
  List,
  makeData,
  makeVector,
  Null,
  RecordBatch,
  Schema as ArrowSchema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";

/** Creates a column of `values` with arrow-js. */
export function columnOf(type: DataType, values: readonly unknown[]): Data {
  if (type instanceof Null) return makeData({ type, length: values.length });
  // arrow-js creates no chunk for an empty array.
  return vectorFromArray(values as never, type).data[0] ?? (makeData({ type, length: 0 } as never) as Data);
}

/** A column, or its type and values. */
export type Column = Data | readonly [type: DataType, values: readonly unknown[]];

/** Creates a batch from columns, keyed by name. Fields are nullable and have no metadata. */
export function batchOf(columns: Readonly<Record<string, Column>>): RecordBatch {
  const children = Object.values(columns).map((column) =>
    column instanceof Data ? column : columnOf(...column),
  );
  return batchWith(
    Object.keys(columns).map((name, index) => new Field(name, (children[index] as Data).type, true)),
    children,
  );
}

/** Creates a batch of the columns `children`. Without columns, `numRows` is the number of rows. */
export function batchWith(fields: readonly Field[], children: readonly Data[], numRows = 0): RecordBatch {
  const length = children[0]?.length ?? numRows;
  const data = makeData({ type: new Struct([...fields]), length, nullCount: 0, children: [...children] });
  return new RecordBatch(new ArrowSchema([...fields]), data);
}

export function listOf(type: DataType): List {
  return new List(itemOf(type));
}

export function largeListOf(type: DataType): LargeList {
  return new LargeList(itemOf(type));
}

/** Returns the field of a list's elements. */
export function itemOf(type: DataType): Field {
  return new Field("item", type, true);
}

/** Returns a struct type of nullable fields. */
export function structOf(fields: Readonly<Record<string, DataType>>): Struct {
  return new Struct(Object.entries(fields).map(([name, type]) => new Field(name, type, true)));
}

/** Creates a dictionary-encoded column of strings. Both `keys` and `entries` may contain null. */
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
