import { type ArrayKernels, ArrayStatus, type ValueArray } from "../array-kernels.js";
import { checkFill } from "../check-arrays.js";
import { fillNulls } from "../fill-nulls.js";
import { type ArrayEngine, bytesOf, patternOf, WINDOW_BYTES } from "./array-engine.js";

/** Fewer bytes take longer to go into WebAssembly and back. */
const LEAST_BYTES = 1024;

/** Filling nulls on this engine: values of four and eight bytes. */
export function fillWith(engine: ArrayEngine): ArrayKernels["fillNulls"] {
  const { positions, out, input, exports } = engine;
  return <T extends ValueArray>(
    values: T,
    validity: Uint8Array,
    firstBit: number,
    fill: T[number],
    target: T,
  ): ArrayStatus => {
    const size = values.BYTES_PER_ELEMENT;
    if (values.byteLength < LEAST_BYTES || size < 4)
      return fillNulls(values, validity, firstBit, fill, target);
    const status = checkFill(values, validity, firstBit, target);
    if (status !== ArrayStatus.ok) return status;
    const write = size === 4 ? exports.fill32 : exports.fill64;
    const pattern = patternOf(values, fill);
    const windowValues = WINDOW_BYTES / size;
    const bytes = bytesOf(target);
    for (let at = 0; at < values.length; at += windowValues) {
      const end = Math.min(at + windowValues, values.length);
      const bit = firstBit + at;
      engine.load(validity.subarray(bit >> 3, (firstBit + end + 7) >> 3), positions);
      engine.load(values.subarray(at, end), input);
      write(input, positions, bit & 7, end - at, pattern, out);
      engine.store((end - at) * size, bytes, at * size);
    }
    return ArrayStatus.ok;
  };
}
