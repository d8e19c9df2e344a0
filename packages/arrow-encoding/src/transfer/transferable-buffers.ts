/** Where bytes lie: position in the shared buffers and, behind them, the others; first byte; number of bytes. */
export type BufferRange = readonly [buffer: number, byteOffset: number, byteLength: number];

/** Copied ranges begin at multiples of this, as Arrow recommends and RFC 162 asks of value buffers. */
const ALIGNMENT = 64;

/**
 * What a range tells of its buffer. `"elements"`: has so many bytes for every element. `"bits"`: may be as long for
 * fewer rows, so that a slice cannot be told by it. `"copied"`: the buffer stays with the sender in any case.
 */
export type RangeKind = "elements" | "bits" | "copied";

interface View {
  readonly bytes: Uint8Array;
  readonly kind: RangeKind;
}

/**
 * Gathers the byte ranges of a batch and decides which memory goes over as it is. Buffers go only if the ranges are all
 * of every one of them, zero padding to the next multiple of 64 between packed ranges aside. Else the batch is a slice,
 * or lies in reserve capacity or in a pool: others may use that memory, and all is copied into one new buffer.
 */
export class BufferGathering {
  readonly #views: View[] = [];
  readonly #positions = new Map<ArrayBufferLike, Map<string, number>>();
  #isSlice = false;

  readonly #keepsShared: boolean;

  /** With `keepShared`, shared memory goes over as it is, whoever else uses it. */
  constructor({ keepShared = false }: { readonly keepShared?: boolean | undefined }) {
    this.#keepsShared = keepShared;
  }

  /** The position of `view` in the ranges to be; equal ranges are one. */
  add(view: ArrayBufferView, kind: RangeKind): number {
    const { buffer, byteOffset, byteLength } = view;
    let known = this.#positions.get(buffer);
    if (known === undefined) {
      known = new Map();
      this.#positions.set(buffer, known);
    }
    const key = `${kind} ${byteOffset} ${byteLength}`;
    let position = known.get(key);
    if (position === undefined) {
      position = this.#views.push({ bytes: new Uint8Array(buffer, byteOffset, byteLength), kind }) - 1;
      known.set(key, position);
    }
    return position;
  }

  /** Says that ranges were added that had to be made anew, because rows before the first one were left out. */
  markAsSlice(): void {
    this.#isSlice = true;
  }

  /** Every range that was added, in that order, and the buffers that they lie in: those to transfer, and shared ones. */
  finish(): {
    readonly buffers: ArrayBuffer[];
    readonly shared: readonly SharedArrayBuffer[];
    readonly ranges: readonly BufferRange[];
  } {
    const shared = this.#keepsShared ? [...this.#positions.keys()].filter(isSharedBuffer) : [];
    const whole = this.#wholeBuffers();
    const buffers = [...whole];
    const indexOf = new Map<ArrayBufferLike, number>(
      [...shared, ...whole].map((buffer, index) => [buffer, index]),
    );
    const isCopied = ({ bytes, kind }: View): boolean => kind === "copied" || !indexOf.has(bytes.buffer);
    const packedIndex = shared.length + whole.length;
    let numBytes = 0;
    const ranges = this.#views.map((view): BufferRange => {
      const { bytes } = view;
      if (!isCopied(view)) return [indexOf.get(bytes.buffer) as number, bytes.byteOffset, bytes.length];
      const start = numBytes;
      numBytes += aligned(bytes.length);
      return [packedIndex, start, bytes.length];
    });
    if (this.#views.some(isCopied)) {
      const packed = new Uint8Array(numBytes);
      for (const [position, view] of this.#views.entries()) {
        if (isCopied(view)) packed.set(view.bytes, (ranges[position] as BufferRange)[1]);
      }
      buffers.push(packed.buffer);
    }
    return { buffers, shared, ranges };
  }

  /** The buffers that may go; none if one of those that show it is not whole. */
  #wholeBuffers(): ArrayBuffer[] {
    if (this.#isSlice) return [];
    const whole: ArrayBuffer[] = [];
    for (const [buffer, positions] of this.#positions) {
      const views = [...positions.values()].map((position) => this.#views[position] as View);
      if (!isPlainBuffer(buffer) || views.some(({ kind }) => kind === "copied")) continue;
      if (!views.some(({ kind }) => kind === "elements")) continue;
      if (!isWhole(buffer, views)) return [];
      whole.push(buffer);
    }
    return whole;
  }
}

/** Shared memory cannot be transferred, and may be written by others. */
function isPlainBuffer(buffer: ArrayBufferLike): buffer is ArrayBuffer {
  return Object.prototype.toString.call(buffer) === "[object ArrayBuffer]";
}

function isSharedBuffer(buffer: ArrayBufferLike): buffer is SharedArrayBuffer {
  return Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]";
}

function isWhole(buffer: ArrayBuffer, views: readonly View[]): boolean {
  const isPacked = views.length > 1;
  let end = 0;
  for (const { bytes } of views.toSorted((a, b) => a.bytes.byteOffset - b.bytes.byteOffset)) {
    const start = bytes.byteOffset;
    if (start > end && !(isPacked && isPadding(buffer, end, start))) return false;
    end = Math.max(end, start + bytes.length);
  }
  return end === buffer.byteLength || (isPacked && isPadding(buffer, end, buffer.byteLength));
}

function isPadding(buffer: ArrayBuffer, start: number, end: number): boolean {
  return (
    start > 0 &&
    end === aligned(start) &&
    new Uint8Array(buffer, start, end - start).every((byte) => byte === 0)
  );
}

function aligned(byteLength: number): number {
  return Math.ceil(byteLength / ALIGNMENT) * ALIGNMENT;
}
