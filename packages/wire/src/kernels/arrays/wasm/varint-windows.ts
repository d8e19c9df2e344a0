import { type ArrayKernels, ArrayStatus } from "../array-kernels.js";
import { checkVarints, MAX_VARINT_BYTES } from "../check-arrays.js";
import { encodeVarints } from "../encode-varints.js";
import { type ArrayInstance, PIECE_ROWS, WINDOW_BYTES } from "./array-instance.js";

/**
 * Minimum number of values for which WebAssembly is used. Below it, copying into WebAssembly memory and back costs more than it
 * saves.
 */
const LEAST_VALUES = 512;
/** Number of values whose varints always fit in an output window. */
const WINDOW_VALUES: number = Math.floor(WINDOW_BYTES / MAX_VARINT_BYTES);

/** Implements `encodeVarints` on this WebAssembly instance. */
export function varintsWith(instance: ArrayInstance): ArrayKernels["encodeVarints"] {
  const { positions, morePositions, out, input, exports } = instance;
  return (values, rowSplits, target, byteSplits) => {
    if (values.length < LEAST_VALUES) return encodeVarints(values, rowSplits, target, byteSplits);
    const status = checkVarints(values, rowSplits, target, byteSplits);
    if (status !== ArrayStatus.ok) return status;
    const numRows = rowSplits.length - 1;
    let numBytes = 0;
    byteSplits[0] = 0;
    for (let row = 0; row < numRows; row += PIECE_ROWS) {
      const piece = rowSplits.subarray(row, Math.min(row + PIECE_ROWS, numRows) + 1);
      instance.load(piece, positions);
      const end = piece[piece.length - 1]!;
      let inPiece = 0;
      for (let at = piece[0]!; at < end; ) {
        const to = Math.min(at + WINDOW_VALUES, end);
        instance.load(values.subarray(at, to), input);
        inPiece = exports.varints(positions, inPiece, at, to, input, morePositions, numBytes, out);
        const inWindow = exports.written();
        instance.store(inWindow, target, numBytes);
        numBytes += inWindow;
        at = to;
      }
      // The kernel does not reach empty rows at the end of a piece, so their splits are filled here.
      instance.storePositions(morePositions + 4, byteSplits.subarray(row + 1, row + 1 + inPiece));
      byteSplits.fill(numBytes, row + 1 + inPiece, row + piece.length);
    }
    return ArrayStatus.ok;
  };
}
