import { type DataType, Field, Struct } from "apache-arrow";

/** The stored form of a column: the buffers that it has in a body, and their elements. */
export type Layout =
  | { readonly kind: "null" }
  | { readonly kind: "bits" }
  /**
   * Values of one width. `units` are the byte widths of the numbers that make up a value (an interval has several), for swapping
   * big-endian data.
   */
  | { readonly kind: "fixed"; readonly byteWidth: number; readonly units: readonly number[] }
  | { readonly kind: "bytes"; readonly offsetBytes: OffsetBytes }
  | { readonly kind: "views" }
  | { readonly kind: "list"; readonly offsetBytes: OffsetBytes }
  | { readonly kind: "list-view"; readonly offsetBytes: OffsetBytes }
  | { readonly kind: "fixed-list"; readonly size: number }
  | { readonly kind: "struct" }
  | { readonly kind: "union"; readonly isDense: boolean; readonly typeIds: readonly number[] }
  /** The column's children are the run ends and the values. */
  | { readonly kind: "run-ends" }
  | {
      readonly kind: "dictionary";
      readonly id: number;
      readonly indexBytes: 1 | 2 | 4 | 8;
      readonly isSigned: boolean;
    };

/** Width of an array's offsets, in bytes. */
export type OffsetBytes = 4 | 8;

/** A column or part of a nested column: its stored layout and its field in a record batch. */
export interface StoredColumn {
  /** Names from the outermost column inwards, joined with dots, for errors. */
  readonly path: string;
  readonly layout: Layout;
  /** The field in record batches, where views, list views and run ends are expanded. */
  readonly field: Field;
  readonly children: readonly StoredColumn[];
  /** False if the arrays of the column are skipped. */
  readonly isRead: boolean;
}

/** All columns of a source. */
export interface StoredSchema {
  readonly columns: readonly StoredColumn[];
  readonly metadata: ReadonlyMap<string, string>;
  readonly isBigEndian: boolean;
  /** The column that describes the values of each dictionary, by the id of the dictionary. */
  readonly dictionaries: ReadonlyMap<number, StoredColumn>;
}

/** Returns the ids of the dictionaries that a column needs, including nested ones. */
export function dictionaryIds(column: StoredColumn, { dictionaries }: StoredSchema): ReadonlySet<number> {
  const found = new Set<number>();
  const visit = ({ layout, children, isRead }: StoredColumn): void => {
    if (!isRead) return;
    children.forEach(visit);
    if (layout.kind !== "dictionary" || found.has(layout.id)) return;
    found.add(layout.id);
    const values = dictionaries.get(layout.id);
    if (values !== undefined) visit(values);
  };
  visit(column);
  return found;
}

/** Returns a copy of the column, with `isRead` set to false. */
export function withoutReading(column: StoredColumn): StoredColumn {
  return { ...column, isRead: false };
}

/** Returns a copy of a struct or list with these children. Its type has only the children that are read. */
export function withChildren(column: StoredColumn, children: readonly StoredColumn[]): StoredColumn {
  const { field, layout } = column;
  const read = children.filter(({ isRead }) => isRead).map((child) => child.field);
  const type = layout.kind === "struct" ? new Struct(read) : withItem(field.type, read[0]);
  return { ...column, children, field: new Field(field.name, type, field.nullable, field.metadata) };
}

/** Returns a copy of a list type with a different item field. */
function withItem(type: DataType, item: Field | undefined): DataType {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(type) as object), type) as DataType;
  return Object.assign(copy, { children: [item] });
}
