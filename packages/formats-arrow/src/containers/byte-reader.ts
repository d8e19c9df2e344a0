/** Reads a byte stream in pieces of requested lengths. */
export interface ByteReader {
  /** Number of bytes taken so far. */
  readonly byteOffset: number;
  /**
   * Returns the next `numBytes` bytes, or fewer at the end of the stream. Returns a view if they lie in one chunk, else a copy.
   * Memory grows with the bytes that arrive, not with `numBytes`.
   */
  take(numBytes: number): Promise<Uint8Array>;
}

/** Creates a reader. @param chunks chunks of the stream, which must stay valid after the next one is requested. */
export function byteReader(chunks: AsyncIterator<Uint8Array, unknown>): ByteReader {
  let left: Uint8Array = new Uint8Array(0);
  let byteOffset = 0;
  return {
    get byteOffset() {
      return byteOffset;
    },
    async take(numBytes) {
      const parts: Uint8Array[] = [];
      let missing = numBytes;
      while (missing > 0) {
        if (left.length === 0) {
          const { done, value } = await chunks.next();
          if (done === true) break;
          left = value;
        }
        const part = left.subarray(0, missing);
        parts.push(part);
        left = left.subarray(part.length);
        missing -= part.length;
      }
      byteOffset += numBytes - missing;
      return joined(parts, numBytes - missing);
    },
  };
}

function joined(parts: readonly Uint8Array[], numBytes: number): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const bytes = new Uint8Array(numBytes);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
