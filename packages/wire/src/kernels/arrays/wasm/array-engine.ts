import type { ValueArray } from "../array-kernels.js";
import { instantiate, type WasmModule } from "../../wasm/web-assembly.js";

/** Writes the COO indices of the values `from` to `to` (exclusive). Returns the row to go on with. */
export type CooExport = (
  splits: number,
  base: number,
  row: number,
  from: number,
  to: number,
  out: number,
) => number;

/** The functions of assembly-arrays/index.as. Numbers come back signed: make addresses and counts unsigned. */
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

/** Output is made, and input taken, in windows of this size: with what belongs to them they stay in the second level cache. */
export const WINDOW_BYTES: number = 64 * 1024;
/** Rows, or ranges, whose positions are copied in at once. */
export const PIECE_ROWS = 8192;
/** Behind each window: bytes that vectors may touch. */
const SLACK = 64;
const POSITIONS_BYTES: number = (PIECE_ROWS + 1) * 4 + SLACK;

/** An instance of the kernels over arrays, and its memory: two lists of positions, a window out, and input. */
export class ArrayEngine {
  readonly exports: ArrayExports;
  /** Addresses. */
  readonly positions: number;
  readonly morePositions: number;
  readonly out: number;
  readonly input: number;
  #bytes: Uint8Array<ArrayBuffer>;

  /** @throws what the runtime throws that cannot instantiate. */
  constructor(module: WasmModule) {
    this.exports = instantiate(module) as ArrayExports;
    const fixed = 2 * POSITIONS_BYTES + WINDOW_BYTES + SLACK;
    const start = this.exports.room(fixed + WINDOW_BYTES + SLACK) >>> 0;
    if (start === 0) throw new RangeError("memory for an instance was refused");
    this.positions = start;
    this.morePositions = start + POSITIONS_BYTES;
    this.out = start + 2 * POSITIONS_BYTES;
    this.input = start + fixed;
    this.#bytes = new Uint8Array(this.exports.memory.buffer);
  }

  /** Sees to it that input of this size finds room. False when memory is refused. */
  growInput(numBytes: number): boolean {
    const isThere = this.exports.room(this.input - this.positions + numBytes + SLACK) !== 0;
    // Growing detaches the view.
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.exports.memory.buffer);
    return isThere;
  }

  load(array: ValueArray, address: number): void {
    this.#bytes.set(bytesOf(array), address);
  }

  /** Copies the first `numBytes` of the window out to `target`, from `at` on. */
  store(numBytes: number, target: Uint8Array, at: number): void {
    target.set(this.#bytes.subarray(this.out, this.out + numBytes), at);
  }

  /** Copies positions from elsewhere in memory out. */
  storePositions(address: number, target: Int32Array): void {
    bytesOf(target).set(this.#bytes.subarray(address, address + target.byteLength));
  }
}

/** A view of all of its bytes. */
export function bytesOf(array: ValueArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Eight bytes full of `fill` as the array holds it. */
export function patternOf<T extends ValueArray>(array: T, fill: T[number]): bigint {
  const ArrayType = array.constructor as new (length: number) => ValueArray;
  const { buffer } = new ArrayType(8 / array.BYTES_PER_ELEMENT).fill(fill as never);
  return new BigUint64Array(buffer)[0] as bigint;
}
