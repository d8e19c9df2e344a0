import { BytesColumn, type HostColumn, type HostDense, type HostRagged } from "@tfxio/tensor-adapter";
import { ConversionError } from "@tfxio/wire";
import { type PaddingValue, paddingOf } from "../batchers/padding-value.js";
import { createNumericArray, isBytesColumn } from "../columns/host-array.js";
import type { ArrowDatasetOptions } from "./options.js";

/**
 * Converts a ragged column of one batch to the form that `lists` requests: dense of shape `[rows, length]`, or unchanged for
 * `"ragged"`. Other columns are returned unchanged. `{ pad }` copies the values; the other forms borrow them.
 * @throws {ConversionError} `shape-mismatch` (`ragged-lists`) for lists of unequal length if `lists` is `"error"`.
 * @throws {ArgumentError} `invalid-argument` for a padding value that the column's dtype cannot hold.
 */
export function listColumn(
  column: HostColumn,
  name: string,
  lists: NonNullable<ArrowDatasetOptions["lists"]>,
): HostColumn {
  if (column.kind !== "ragged" || lists === "ragged") return column;
  return lists === "error" ? denseLists(column, name) : paddedLists(column, lists.pad);
}

function denseLists({ dtype, values, borrowed, nestedRowSplits }: HostRagged, name: string): HostDense {
  const [splits] = nestedRowSplits as readonly [Int32Array];
  const numRows = splits.length - 1;
  const length = numRows === 0 ? 0 : (splits[1] as number);
  for (let row = 1; row < numRows; row++) {
    const found = (splits[row + 1] as number) - (splits[row] as number);
    if (found === length) continue;
    throw new ConversionError(
      "shape-mismatch",
      `Column "${name}" must have lists of equal length in each batch, found ${length} values in row 0 ` +
        `and ${found} in row ${row}. Set lists: "ragged", or lists: { pad }.`,
      { reason: "ragged-lists", columnPath: name, row },
    );
  }
  return { kind: "dense", dtype, shape: [numRows, length], values, borrowed };
}

function paddedLists({ dtype, values, nestedRowSplits }: HostRagged, pad: PaddingValue): HostDense {
  const [splits] = nestedRowSplits as readonly [Int32Array];
  const numRows = splits.length - 1;
  const padding = paddingOf(pad, dtype, "lists: pad", "lists");
  let length = 0;
  for (let row = 0; row < numRows; row++) {
    length = Math.max(length, (splits[row + 1] as number) - (splits[row] as number));
  }
  const shape = [numRows, length];
  if (dtype === "string" || isBytesColumn(values)) {
    const texts = Array.from({ length: numRows * length }, () => padding as Uint8Array);
    for (let row = 0; row < numRows; row++) {
      const start = splits[row] as number;
      for (let at = start; at < (splits[row + 1] as number); at++) {
        texts[row * length + at - start] = (values as BytesColumn).get(at);
      }
    }
    return { kind: "dense", dtype, shape, values: BytesColumn.from(texts), borrowed: false };
  }
  const numbers = createNumericArray(dtype, numRows * length).fill(padding as never);
  for (let row = 0; row < numRows; row++) {
    const list = values.subarray(splits[row], splits[row + 1]);
    (numbers as Float32Array).set(list as Float32Array, row * length);
  }
  return { kind: "dense", dtype, shape, values: numbers, borrowed: false };
}
