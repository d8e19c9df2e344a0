import { type Data, type DataType, Field, LargeList, List, makeData } from "apache-arrow";
import type { ExampleListType } from "../example/example-arrow-types.js";
import { widenPositions } from "./widen-positions.js";

/** The null rows of a column. Without a bitmap, no row is null. */
export interface Validity {
  readonly nullCount: number;
  /** Arrow bitmap, least significant bit first, 0 for null. */
  readonly nullBitmap?: Uint8Array | undefined;
}

/** Returns the list type for an element type. The child is called `item` and is nullable, as in Arrow's builders. */
function listTypeOf(valueType: DataType, listType: ExampleListType): List | LargeList {
  const item = new Field("item", valueType, true);
  return listType === "large" ? new LargeList(item) : new List(item);
}

/** Creates a list column over `values`, which it borrows. `offsets` has length `numRows + 1`. A List borrows the offsets too. */
export function makeList(
  values: Data,
  offsets: Int32Array,
  listType: ExampleListType,
  validity: Validity,
): Data {
  const common = { length: offsets.length - 1, ...validity, child: values };
  return listType === "large"
    ? makeData({
        type: listTypeOf(values.type, "large") as LargeList,
        valueOffsets: widenPositions(offsets),
        ...common,
      })
    : makeData({ type: listTypeOf(values.type, "list") as List, valueOffsets: offsets, ...common });
}

/** Creates a bitmap, least significant bit first, in which a bit is set if `isSet` returns true for its row. */
export function bitmapOf(length: number, isSet: (row: number) => boolean): Uint8Array {
  const bitmap = new Uint8Array((length + 7) >> 3);
  for (let row = 0; row < length; row++) {
    if (isSet(row)) bitmap[row >> 3] = (bitmap[row >> 3] as number) | (1 << (row & 7));
  }
  return bitmap;
}
