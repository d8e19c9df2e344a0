/**
 * Location of bytes: the index of their buffer, the offset of the first byte, and the number of bytes. The index counts through
 * two lists that {@link BufferGathering.finish} returns: first `shared`, then `buffers`.
 */
export type BufferRange = readonly [buffer: number, byteOffset: number, byteLength: number];

/** Copied ranges start at multiples of this many bytes, as Arrow recommends and TensorFlow RFC 162 requires for values. */
const ALIGNMENT = 64;

/**
 * The kind of a range. It determines whether the range's length reveals that the batch is a slice. `"elements"`: the length grows
 * with every element, so the range of a slice is shorter than its buffer. `"bits"`: fewer rows may take the same number of bytes,
 * so the length does not reveal whether the batch is a slice. `"copied"`: the range is always copied, and its buffer stays with
 * the sender.
 */
export type RangeKind = "elements" | "bits" | "copied";

/** An added range that is not yet assigned to a buffer. */
interface View {
  readonly bytes: Uint8Array;
  readonly kind: RangeKind;
}

/**
 * Collects the byte ranges of a batch, and decides which memory is transferred without a copy. Shared memory, buffers that hold
 * only bits, and buffers with a `"copied"` range are never transferred. The other buffers are transferred only if the ranges
 * cover all of them completely. Otherwise the batch may be a slice or part of a larger buffer, and other code may still use that
 * memory. In a buffer that holds several ranges, zeros after a range, up to the next multiple of 64 bytes, count as covered.
 * Ranges in buffers that are neither transferred nor kept shared are copied into one new buffer.
 */
export class BufferGathering {
  readonly #views: View[] = [];
  readonly #positions = new Map<ArrayBufferLike, Map<string, number>>();
  #isSlice = false;

  readonly #keepsShared: boolean;

  /** With `keepShared`, shared memory is passed without a copy, even if other threads use it. */
  constructor({ keepShared = false }: { readonly keepShared?: boolean | undefined }) {
    this.#keepsShared = keepShared;
  }

  /** Adds the range of `view`. Returns its index in the ranges that {@link finish} returns. Equal ranges share one index. */
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

  /** Marks the batch as a slice. Call it for offsets that start above 0, and for bits that do not start at a byte boundary. */
  markAsSlice(): void {
    this.#isSlice = true;
  }

  /** Returns all added ranges in order, the buffers to transfer, and the shared buffers. */
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

  /** Returns the buffers to transfer. Empty for a slice, or if the ranges do not fill every buffer that could be transferred. */
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

/** Returns false for shared memory, which cannot be transferred and which other threads may modify. */
function isPlainBuffer(buffer: ArrayBufferLike): buffer is ArrayBuffer {
  return Object.prototype.toString.call(buffer) === "[object ArrayBuffer]";
}

function isSharedBuffer(buffer: ArrayBufferLike): buffer is SharedArrayBuffer {
  return Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]";
}

/** Returns whether the views cover the whole buffer. Several views in one buffer may each have padding after them. */
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

/** Returns whether the bytes are zeros that pad `start` to the next multiple of 64. */
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
