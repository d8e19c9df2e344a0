import type { ValueArray } from "../array-kernels.js";
import { instantiate, type WasmModule } from "../../wasm/web-assembly.js";

/** Writes the COO indices of the values `from` to `to` (exclusive). Returns the row at which to continue. */
export type CooExport = (
  splits: number,
  base: number,
  row: number,
  from: number,
  to: number,
  out: number,
) => number;

/**
 * Exports of assembly-arrays/index.as. All returned numbers are signed. Convert addresses with `>>> 0`. Rows and counts stay
 * below 2^31, so they need no conversion.
 */
export interface ArrayExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly coo32: CooExport;
  readonly coo64: CooExport;
  room(size: number): number;
  written(): number;
  pad(
    splits: number,
    numRows: number,
    values: number,
    shift: number,
    width: number,
    pattern: bigint,
    out: number,
  ): void;
  gather(
    starts: number,
    ends: number,
    count: number,
    source: number,
    size: number,
    out: number,
    capacity: number,
  ): number;
  varints(
    splits: number,
    row: number,
    from: number,
    to: number,
    values: number,
    byteSplits: number,
    base: number,
    out: number,
  ): number;
}

/**
 * Size of an input or output window in bytes. A window and its positions fit into the second-level cache.
 */
export const WINDOW_BYTES: number = 64 * 1024;
/** Maximum number of rows or ranges whose positions are copied into WebAssembly memory at once. */
export const PIECE_ROWS = 8192;
/** Number of bytes that vector instructions may read or write after the end of each window or list of positions. */
const SLACK = 64;
const POSITIONS_BYTES: number = (PIECE_ROWS + 1) * 4 + SLACK;

/** An instance of the array kernels and its memory. */
export class ArrayInstance {
  readonly exports: ArrayExports;
  /** Addresses in the memory: two lists of positions, the output window, and the input. */
  readonly positions: number;
  readonly morePositions: number;
  readonly out: number;
  readonly input: number;
  #bytes: Uint8Array<ArrayBuffer>;

  /** Throws the runtime's error if it cannot instantiate the module, and a RangeError if memory cannot be allocated. */
  constructor(module: WasmModule) {
    this.exports = instantiate(module) as ArrayExports;
    const fixed = 2 * POSITIONS_BYTES + WINDOW_BYTES + SLACK;
    const start = this.exports.room(fixed + WINDOW_BYTES + SLACK) >>> 0;
    if (start === 0) throw new RangeError("memory for an instance cannot be allocated");
    this.positions = start;
    this.morePositions = start + POSITIONS_BYTES;
    this.out = start + 2 * POSITIONS_BYTES;
    this.input = start + fixed;
    this.#bytes = new Uint8Array(this.exports.memory.buffer);
  }

  /** Makes room for `numBytes` bytes of input. Returns false if memory cannot be allocated. */
  growInput(numBytes: number): boolean {
    const isThere = this.exports.room(this.input - this.positions + numBytes + SLACK) !== 0;
    // If memory has grown, the old view is detached and has length 0.
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.exports.memory.buffer);
    return isThere;
  }

  /** Copies an array into the memory at `address`. */
  load(array: ValueArray, address: number): void {
    this.#bytes.set(bytesOf(array), address);
  }

  /** Copies the first `numBytes` of the output window to `target`, starting at `at`. */
  store(numBytes: number, target: Uint8Array, at: number): void {
    target.set(this.#bytes.subarray(this.out, this.out + numBytes), at);
  }

  /** Fills `target` with the positions in the memory at `address`. */
  storePositions(address: number, target: Int32Array): void {
    bytesOf(target).set(this.#bytes.subarray(address, address + target.byteLength));
  }
}

/** Returns a view of all bytes of the array. */
export function bytesOf(array: ValueArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Returns eight bytes that repeat `fill`, encoded as an element of `array`. */
export function patternOf<T extends ValueArray>(array: T, fill: T[number]): bigint {
  const ArrayType = array.constructor as new (length: number) => ValueArray;
  const { buffer } = new ArrayType(8 / array.BYTES_PER_ELEMENT).fill(fill as never);
  return new BigUint64Array(buffer)[0] as bigint;
}
