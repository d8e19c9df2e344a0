import { instantiate, type WasmMemory, type WasmModule } from "./web-assembly.js";

/** The functions of assembly/index.as. Addresses and counts come as signed numbers: make them unsigned. */
export interface EngineExports {
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

/** Input is copied in pieces of this size: they stay in the second level cache. */
export const WINDOW_BYTES: number = 256 * 1024;
/** An engine may have so much more memory than it needs four times, before it is not worth keeping. */
const MAX_SPARE_BYTES = 16 * 2 ** 20;
/** No single piece of input may be larger; wasm compares what is left of it as signed numbers. */
const MAX_INPUT_BYTES = 0x7fff_0000;

/** An instance of the kernels with a memory of its own: decodes one batch at a time. */
export class Engine {
  readonly exports: EngineExports;
  /** All of its memory. Growing it detaches the views or leaves them too short, so they are asked for after calls that may. */
  #bytes: Uint8Array;
  #words: Uint32Array;
  readonly #isShared: boolean;
  /** Index in `words` of the outcome of a push. */
  readonly #outcome: number;
  /** Bytes that the batch before the last one took. */
  #usedBefore = 0;

  /**
   * @param windowBytes size of the pieces in which input is copied in, unless a record is larger
   * @param memory for a module that imports its memory
   */
  constructor(
    module: WasmModule,
    readonly windowBytes: number,
    memory?: WasmMemory,
  ) {
    this.exports = instantiate(module, memory) as EngineExports;
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
   * Ends a batch. False when it and the one before, of which the last of a file is often small, have used but a small
   * part of the memory, which never gets smaller: then the engine is not worth keeping.
   */
  isWorthKeeping(): boolean {
    const used = this.exports.bytesUsed() >>> 0;
    const most = Math.max(used, this.#usedBefore);
    this.#usedBefore = used;
    return this.bytes.length <= MAX_SPARE_BYTES + 4 * most;
  }

  /** Leaves all views of its memory without elements, as every growth does; those of shared memory cannot be. */
  detachViews(): void {
    this.exports.memory.grow(0);
  }

  /** Copies `bytes[start..end)` in, with room for `extra` bytes behind. Returns its address, or 0 when memory is refused. */
  load(bytes: Uint8Array, start: number, end: number, extra = 0): number {
    const size = end - start + extra;
    if (!(size <= MAX_INPUT_BYTES)) return 0;
    const input = this.exports.inputOf(Math.max(size, this.windowBytes)) >>> 0;
    if (input !== 0) this.bytes.set(bytes.subarray(start, end), input);
    return input;
  }

  /** Bytes of frames, or records, that the last push has taken. */
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

  /** Address of what the last push found wrong. */
  get errorAt(): number {
    return this.words[this.#outcome + 4]!;
  }

  /** Address of the column that the last push could not fill, 0 on other errors. */
  get misfit(): number {
    return this.words[this.#outcome + 5]!;
  }

  /** Views of all the memory that there is now. */
  #look(): void {
    const { buffer } = this.exports.memory;
    if (this.#bytes.length === buffer.byteLength) return;
    this.#bytes = new Uint8Array(buffer);
    this.#words = new Uint32Array(buffer);
  }

  /** Bytes of the frame that the input has only a part of: 12 when not even its length; 0 without such a part. */
  get frameBytes(): number {
    return new DataView(this.exports.memory.buffer).getFloat64((this.#outcome + 6) * 4, true);
  }
}

/** Only names of features are hashed with it, so that nobody can make them collide; no result depends on it. */
function randomSeed(): bigint {
  const high = Math.floor(Math.random() * 2 ** 32);
  const low = Math.floor(Math.random() * 2 ** 32);
  return (BigInt(high) << 32n) | BigInt(low);
}
