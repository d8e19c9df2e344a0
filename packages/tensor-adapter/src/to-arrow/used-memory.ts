/**
 * The memory that buffers of one batch lie in, so that no offsets of it lie where another buffer does: apache-arrow 21's
 * IPC writer takes two buffers for one that overlap and follow each other.
 */
export class UsedMemory {
  readonly #views = new Map<ArrayBufferLike, ArrayBufferView[]>();

  /** Takes note of a buffer. */
  add(view: ArrayBufferView): void {
    const views = this.#views.get(view.buffer);
    if (views === undefined) this.#views.set(view.buffer, [view]);
    else views.push(view);
  }

  /** Offsets for a column: the same array, or a copy where a buffer of the batch lies in its memory already. */
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
