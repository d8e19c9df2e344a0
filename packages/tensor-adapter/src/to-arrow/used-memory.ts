/**
 * Tracks the memory of a batch's buffers, so that an offsets buffer never overlaps a buffer that was added before it. The IPC
 * writer of apache-arrow 21 would merge two consecutive buffers that overlap.
 */
export class UsedMemory {
  readonly #views = new Map<ArrayBufferLike, ArrayBufferView[]>();

  /** Records a buffer. */
  add(view: ArrayBufferView): void {
    const views = this.#views.get(view.buffer);
    if (views === undefined) this.#views.set(view.buffer, [view]);
    else views.push(view);
  }

  /** Returns offsets for a column: the same array, or a copy if a buffer of the batch already uses its memory. */
  offsets(offsets: Int32Array): Int32Array {
    const isUsed = this.#views.get(offsets.buffer)?.some((view) => overlap(view, offsets));
    const own = isUsed === true ? offsets.slice() : offsets;
    this.add(own);
    return own;
  }
}

function overlap(one: ArrayBufferView, other: ArrayBufferView): boolean {
  return (
    one.byteOffset < other.byteOffset + other.byteLength && other.byteOffset < one.byteOffset + one.byteLength
  );
}
