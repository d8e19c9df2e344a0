import { BytesColumn, type NumberArray } from "@tfxio/arrow-encoding";
import { ConversionError } from "@tfxio/wire";
import { arrayKernels } from "@tfxio/wire/kernels";
import { allocated } from "../host/allocated.js";
import { assertLaidOut } from "../host/assert-laid-out.js";
import type { DefaultValue } from "../host/default-value.js";
import type { HostValues } from "../host/host-column.js";

const noBytes: Uint8Array = new Uint8Array(0);
/** Maximum total size of strings, in bytes. The limit exists because the offsets of a BytesColumn are int32. */
const MAX_BYTES = 2 ** 31 - 1;

/**
 * Returns a copy of the values in which every row has `rowSize` values. Truncates long rows at their end, and pads short, empty
 * and null rows at their end with the default value.
 * @param fill the default value; required if a row is too short.
 * @throws {ConversionError} `out-of-range` (`batch-too-large`) if the strings take 2^31 bytes or more, or if the runtime cannot
 * allocate the result.
 */
export function fitRows(
  values: HostValues,
  rowSplits: Int32Array,
  rowSize: number,
  fill: DefaultValue | undefined,
): HostValues {
  return values instanceof BytesColumn
    ? fitBytes(values, rowSplits, rowSize, fill as Uint8Array | undefined)
    : fitNumbers(values, rowSplits, rowSize, fill as number | bigint | undefined);
}

function fitNumbers(
  values: NumberArray,
  rowSplits: Int32Array,
  rowSize: number,
  fill: number | bigint | undefined,
): NumberArray {
  const ArrayType = values.constructor as new (length: number) => NumberArray;
  const fitted = allocated(ArrayType, (rowSplits.length - 1) * rowSize);
  // If `fill` is undefined, no row is too short. The kernel then gets `zero` as a placeholder of the right type, but never uses
  // it.
  const [zero = 0] = new ArrayType(1);
  assertLaidOut(arrayKernels().padRows(values, rowSplits, rowSize, fill ?? zero, fitted));
  return fitted;
}

function fitBytes(
  { data, offsets }: BytesColumn,
  rowSplits: Int32Array,
  rowSize: number,
  fill: Uint8Array = noBytes,
): BytesColumn {
  const numRows = rowSplits.length - 1;
  const fitted = allocated(Int32Array, numRows * rowSize + 1);
  let total = 0;
  for (let row = 0, at = 1; row < numRows; row++) {
    const start = rowSplits[row] as number;
    const end = rowSplits[row + 1] as number;
    for (let value = start; value < start + rowSize; value++) {
      total += value < end ? (offsets[value + 1] as number) - (offsets[value] as number) : fill.length;
      if (total > MAX_BYTES) {
        throw new ConversionError(
          "out-of-range",
          "The strings of a tensor take 2^31 bytes or more. Request smaller batches.",
          {
            reason: "batch-too-large",
          },
        );
      }
      fitted[at++] = total;
    }
  }
  const bytes = allocated(Uint8Array, total);
  for (let row = 0; row < numRows; row++) {
    const start = rowSplits[row] as number;
    const end = Math.min(rowSplits[row + 1] as number, start + rowSize);
    bytes.set(data.subarray(offsets[start], offsets[end]), fitted[row * rowSize]);
    if (fill.length === 0) continue;
    for (let place = row * rowSize + end - start; place < (row + 1) * rowSize; place++) {
      bytes.set(fill, fitted[place]);
    }
  }
  return new BytesColumn(bytes, fitted);
}
