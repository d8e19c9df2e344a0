import { type ArrayKernels, ArrayStatus } from "../array-kernels.js";
import { checkCoo } from "../check-arrays.js";
import { cooIndices } from "../coo-indices.js";
import { type ArrayInstance, bytesOf, PIECE_ROWS, WINDOW_BYTES } from "./array-instance.js";

/**
 * Minimum number of index bytes for which WebAssembly is used. Below it, copying into WebAssembly memory and back costs more than
 * it saves.
 */
const LEAST_BYTES = 2048;

/** Implements `cooIndices` on this WebAssembly instance. */
export function cooWith(instance: ArrayInstance): ArrayKernels["cooIndices"] {
  const { positions, out, exports } = instance;
  return (rowSplits, target) => {
    if (target.byteLength < LEAST_BYTES) return cooIndices(rowSplits, target);
    const status = checkCoo(rowSplits, target);
    if (status !== ArrayStatus.ok) return status;
    const size = 2 * target.BYTES_PER_ELEMENT;
    const write = size === 8 ? exports.coo32 : exports.coo64;
    const windowValues = WINDOW_BYTES / size;
    const bytes = bytesOf(target);
    const first = rowSplits[0]!;
    const numRows = rowSplits.length - 1;
    for (let row = 0; row < numRows; row += PIECE_ROWS) {
      const piece = rowSplits.subarray(row, Math.min(row + PIECE_ROWS, numRows) + 1);
      instance.load(piece, positions);
      const end = piece[piece.length - 1]!;
      let inPiece = 0;
      for (let at = piece[0]!; at < end; ) {
        const to = Math.min(at + windowValues, end);
        inPiece = write(positions, row, inPiece, at, to, out);
        instance.store((to - at) * size, bytes, (at - first) * size);
        at = to;
      }
    }
    return ArrayStatus.ok;
  };
}
