import { detachViews } from "./detach-views.js";
import { instantiate, type WasmMemory, type WasmModule } from "./web-assembly.js";

/** Exports of assembly/index.as. All returned addresses and counts are signed numbers. Convert them with `>>> 0`. */
export interface KernelExports {
  readonly memory: WasmMemory;
  initialize(seed: bigint): number;
  begin(
    policy: number,
    listPolicy: number,
    skipsMalformed: boolean,
    numRowsHint: number,
    keepsRaw: boolean,
    maxColumns: number,
  ): number;
  inputOf(size: number): number;
  addColumns(count: number): number;
  hintRaw(numBytes: number): void;
  pushFrames(
    length: number,
    maxRows: number,
    maxBytes: number,
    verifiesPayload: boolean,
    maxRecordBytes: number,
  ): number;
  pushRecords(bounds: number, count: number, maxRows: number, maxBytes: number): number;
  scanFrames(
    length: number,
    bounds: number,
    most: number,
    verifiesPayload: boolean,
    maxRecordBytes: number,
  ): number;
  crcOfInput(length: number, before: number): number;
  numBytes(): number;
  rows(): number;
  finish(): number;
  rawColumn(): number;
  hasFeatureLists(): number;
  bytesUsed(): number;
  keyOffset(): number;
  damage(): number;
}

/** Initial size in bytes of the pieces in which input is copied. Pieces of this size fit into the second-level cache. */
export const WINDOW_BYTES: number = 256 * 1024;
/**
 * An instance is worth keeping if its memory is at most this many bytes plus four times what the larger of its last two batches
 * used.
 */
const MAX_SPARE_BYTES = 16 * 2 ** 20;
/** Maximum size of a piece of input in bytes. The wasm code compares the remaining length as a signed number. */
const MAX_INPUT_BYTES = 0x7fff_0000;

/** An instance of the kernels with its own memory. It decodes one batch at a time. */
export class KernelInstance {
  readonly exports: KernelExports;
  /**
   * Views of the instance's whole memory. Growth detaches them or leaves them too short, so they must be fetched again after
   * calls that may grow the memory.
   */
  #bytes: Uint8Array;
  #words: Uint32Array;
  readonly #isShared: boolean;
  /** Index in `words` of the result of a push. */
  readonly #outcome: number;
  /** Number of bytes that the previous batch used. */
  #usedBefore = 0;

  /**
   * @param windowBytes Initial size in bytes of the pieces in which input is copied. Large records get larger pieces.
   * @param memory Memory for a module that imports it.
   */
  constructor(
    module: WasmModule,
    readonly windowBytes: number,
    memory?: WasmMemory,
  ) {
    this.exports = instantiate(module, memory) as KernelExports;
    this.#outcome = this.exports.initialize(randomSeed()) >> 2;
    this.#isShared = memory !== undefined;
    this.#bytes = new Uint8Array(this.exports.memory.buffer);
    this.#words = new Uint32Array(this.exports.memory.buffer);
  }

  get bytes(): Uint8Array {
    if (this.#bytes.length === 0 || this.#isShared) this.#look();
    return this.#bytes;
  }

  get words(): Uint32Array {
    if (this.#words.length === 0 || this.#isShared) this.#look();
    return this.#words;
  }

  /**
   * Remembers how much memory the current batch has used. Returns false if this batch and the previous one used only a small part
   * of a large memory, which never shrinks. A single small batch does not count, because the last batch of a file is often small.
   */
  isWorthKeeping(): boolean {
    const used = this.exports.bytesUsed() >>> 0;
    const most = Math.max(used, this.#usedBefore);
    this.#usedBefore = used;
    return this.bytes.length <= MAX_SPARE_BYTES + 4 * most;
  }

  /** Detaches all views of the memory by growing it by 0 pages. Views of shared memory cannot be detached. */
  detachViews(): void {
    detachViews(this.exports.memory);
  }

  /**
   * Copies `bytes[start..end)` into the memory, with room for `extra` bytes after them. Returns the address, or 0 if the
   * input is too large or memory cannot be allocated.
   */
  load(bytes: Uint8Array, start: number, end: number, extra = 0): number {
    const size = end - start + extra;
    if (!(size <= MAX_INPUT_BYTES)) return 0;
    const input = this.exports.inputOf(Math.max(size, this.windowBytes)) >>> 0;
    if (input !== 0) this.bytes.set(bytes.subarray(start, end), input);
    return input;
  }

  /** Bytes of frames, or number of records, that the last push consumed. */
  get consumed(): number {
    return this.words[this.#outcome]!;
  }

  get numRecords(): number {
    return this.words[this.#outcome + 1]!;
  }

  get numSkipped(): number {
    return this.words[this.#outcome + 2]!;
  }

  get isFull(): boolean {
    return this.words[this.#outcome + 3] !== 0;
  }

  /** Address of the input byte at which the last push or scan found an error. */
  get errorAt(): number {
    return this.words[this.#outcome + 4]!;
  }

  /** Address of the column that mismatched in the last push, or 0 for other errors. */
  get mismatch(): number {
    return this.words[this.#outcome + 5]!;
  }

  /** Creates new views if the size of the memory has changed. */
  #look(): void {
    const { buffer } = this.exports.memory;
    if (this.#bytes.length === buffer.byteLength) return;
    this.#bytes = new Uint8Array(buffer);
    this.#words = new Uint32Array(buffer);
  }

  /**
   * Size in bytes of the incomplete frame at the end of the input, or 12 if its header is incomplete too. If no frame is
   * incomplete, this is 12 after a scan that ran out of input, and 0 otherwise.
   */
  get frameBytes(): number {
    return new DataView(this.exports.memory.buffer).getFloat64((this.#outcome + 6) * 4, true);
  }
}

/** Returns a random seed for the hash of feature names, so that nobody can craft collisions. No result depends on it. */
function randomSeed(): bigint {
  const high = Math.floor(Math.random() * 2 ** 32);
  const low = Math.floor(Math.random() * 2 ** 32);
  return (BigInt(high) << 32n) | BigInt(low);
}
