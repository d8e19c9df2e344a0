/** Bytes that are copied in words of 32 bits as well, at any position. */
export interface WordBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Up to here a loop over words beats a call of `set`. */
const SHORT_COPY = 96;

/** Bytes with a view for their words. Borrows. */
export function wordBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): WordBytes {
  return {
    bytes: new Uint8Array(buffer, byteOffset, byteLength),
    view: new DataView(buffer, byteOffset, byteLength),
  };
}

/** Copies bytes `from` to `to` (exclusive); the result is the position behind them in `target`. */
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
    // The last word overlaps the one before it, which costs less than a loop over the odd bytes.
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
