import { type ArrayKernels, ArrayStatus, type ValueArray } from "../array-kernels.js";
import { checkPad } from "../check-arrays.js";
import { padRows } from "../pad-rows.js";
import { type ArrayInstance, bytesOf, patternOf, PIECE_ROWS, WINDOW_BYTES } from "./array-instance.js";

/**
 * Minimum number of result bytes for which WebAssembly is used. Below it, copying into WebAssembly memory and back costs more
 * than it saves.
 */
const LEAST_BYTES = 4096;
/** Maximum size of a padded row in bytes. Above it, copying between the arrays directly is as fast as through wasm memory. */
const MOST_ROW_BYTES = 1024;

/** Implements `padRows` on this WebAssembly instance. */
export function padWith(instance: ArrayInstance): ArrayKernels["padRows"] {
  const { positions, out, input, exports } = instance;
  return <T extends ValueArray>(
    values: T,
    rowSplits: Int32Array,
    width: number,
    fill: T[number],
    target: T,
  ): ArrayStatus => {
    const size = values.BYTES_PER_ELEMENT;
    const rowBytes = width * size;
    if (target.byteLength < LEAST_BYTES || rowBytes > MOST_ROW_BYTES) {
      return padRows(values, rowSplits, width, fill, target);
    }
    const status = checkPad(values, rowSplits, width, target);
    if (status !== ArrayStatus.ok) return status;
    const numRows = rowSplits.length - 1;
    const pattern = patternOf(values, fill);
    const shift = Math.log2(size);
    const bytes = bytesOf(target);
    const windowRows = Math.min(Math.floor(WINDOW_BYTES / rowBytes), PIECE_ROWS);
    for (let row = 0; row < numRows; ) {
      const start = rowSplits[row]!;
      let end = Math.min(row + windowRows, numRows);
      while ((rowSplits[end]! - start) * size > WINDOW_BYTES && end > row + 1) end = (row + end) >> 1;
      const splits = rowSplits.subarray(row, end + 1);
      // If a single row has more values than a window holds, the surplus is cut off anyway and is not copied.
      const valuesEnd = Math.min(rowSplits[end]!, start + WINDOW_BYTES / size);
      instance.load(splits, positions);
      instance.load(values.subarray(start, valuesEnd), input);
      exports.pad(positions, end - row, input, shift, width, pattern, out);
      instance.store((end - row) * rowBytes, bytes, row * rowBytes);
      row = end;
    }
    return ArrayStatus.ok;
  };
}
