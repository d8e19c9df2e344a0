/** Bytes, with a view that reads and writes them as unaligned 32-bit words. */
export interface WordBytes {
  readonly bytes: Uint8Array;
  /** A view of the same bytes. Words are read and written in the same byte order, so endianness does not matter. */
  readonly view: DataView;
}

/** Up to this number of bytes, a loop over words is faster than `set`. */
const SHORT_COPY = 96;

/** Wraps bytes for word access. Borrows them. */
export function wordBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): WordBytes {
  return {
    bytes: new Uint8Array(buffer, byteOffset, byteLength),
    view: new DataView(buffer, byteOffset, byteLength),
  };
}

/** Copies `source[from, to)` into `target`, starting at `position`. Returns the position after the last byte written. */
export function copyBytes(
  source: WordBytes,
  from: number,
  to: number,
  target: WordBytes,
  position: number,
): number {
  const end = position + to - from;
  if (to - from > SHORT_COPY) {
    target.bytes.set(source.bytes.subarray(from, to), position);
  } else if (to - from >= 4) {
    // The last word may overlap the previous one. This is cheaper than a loop over the remaining bytes.
    const lastWord = end - 4;
    let i = from;
    for (let at = position; at < lastWord; at += 4, i += 4) {
      target.view.setInt32(at, source.view.getInt32(i, true), true);
    }
    target.view.setInt32(lastWord, source.view.getInt32(to - 4, true), true);
  } else {
    for (let i = from, at = position; i < to; i++, at++) target.bytes[at] = source.bytes[i] as number;
  }
  return end;
}
