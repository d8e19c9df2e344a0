import { integerOf, structOf, textOf, type ThriftStruct, type ThriftValue } from "./thrift.js";

/** Ids of the fields of a schema element. @see parquet-format `parquet.thrift` */
export const ELEMENT = {
  type: 1,
  repetition: 3,
  name: 4,
  numChildren: 5,
  convertedType: 6,
  logicalType: 10,
} as const;

/** Ids of the physical types. */
export const PHYSICAL = {
  boolean: 0,
  int32: 1,
  int64: 2,
  int96: 3,
  float: 4,
  double: 5,
  bytes: 6,
  fixedBytes: 7,
} as const;

const MAX_LEVELS = 256;

/** A leaf column of a file. Only leaves have values. */
export interface StoredLeaf {
  /** Names from the top-level column down, including the names of list and map levels. */
  readonly path: readonly string[];
  readonly element: ThriftStruct;
}

/** A top-level column. A nested one may have several leaves. */
export interface StoredColumn {
  /** Schema elements of the column, in depth-first order. */
  readonly elements: readonly ThriftValue[];
  readonly leaves: readonly StoredLeaf[];
  /** Position of its first leaf among the leaves of the file. */
  readonly firstLeaf: number;
}

/**
 * Returns the columns of a schema, which is stored as a list of elements in depth-first order.
 * @param damaged Creates the error for an invalid schema.
 */
export function storedColumns(
  elements: readonly ThriftValue[],
  damaged: (found: string) => Error,
): readonly StoredColumn[] {
  const columns: StoredColumn[] = [];
  let [at, numLeaves] = [1, 0];
  const numColumns = integerOf(structOf(elements[0])?.get(ELEMENT.numChildren)) ?? 0;
  while (columns.length < numColumns) {
    const first = at;
    const leaves: StoredLeaf[] = [];
    // A stack rather than recursion, because each element of a damaged schema may open a level.
    const open: { readonly path: readonly string[]; left: number }[] = [{ path: [], left: 1 }];
    for (let parent = open.at(-1); parent !== undefined; parent = open.at(-1)) {
      if (parent.left-- <= 0) {
        open.pop();
        continue;
      }
      const element = structOf(elements[at++]);
      if (element === undefined) throw damaged("has a schema that ends too early");
      const path = [...parent.path, textOf(element.get(ELEMENT.name)) ?? ""];
      if (path.length > MAX_LEVELS) throw damaged(`has a schema of more than ${MAX_LEVELS} levels`);
      if (element.has(ELEMENT.type)) leaves.push({ path, element });
      else open.push({ path, left: integerOf(element.get(ELEMENT.numChildren)) ?? 0 });
    }
    columns.push({ elements: elements.slice(first, at), leaves, firstLeaf: numLeaves });
    numLeaves += leaves.length;
  }
  if (at !== elements.length) throw damaged("has a schema with elements that belong to no column");
  return columns;
}
