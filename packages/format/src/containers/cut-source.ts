import type { ByteSource, Compression } from "@tfxio/wire";
import type { RecordCut } from "../records/record-format-parts.js";

/** Number of bytes that are read at a time to find the end of a record. */
const WINDOW_BYTES: number = 64 * 2 ** 10;

/** A source to cut into parts, and how to read and cut it. */
export interface CuttableSource {
  readonly source: ByteSource;
  readonly compression: Compression | "auto";
  /** Desired size of each part, in bytes. */
  readonly partBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the length in bytes of a source that can be cut; undefined for compressed sources and streams. */
export async function plainLength({
  source,
  compression,
  signal,
}: Omit<CuttableSource, "partBytes">): Promise<number | undefined> {
  if (source.byteLength === undefined || (compression !== "auto" && compression !== "none")) return undefined;
  const [first, second, third] = compression === "auto" ? await source.slice(0, 3, { signal }) : [];
  return first === 0x1f && second === 0x8b && third === 8 ? undefined : source.byteLength;
}

/**
 * Returns the cuts of a source whose records end with the byte `mark`. Each cut is at the first record that begins at or after a
 * multiple of `partBytes`. Empty for a source that cannot be cut.
 */
export async function cutsBehind(
  mark: number,
  { source, compression, partBytes, signal }: CuttableSource,
): Promise<readonly RecordCut[]> {
  const byteLength = await plainLength({ source, compression, signal });
  if (byteLength === undefined) return [];
  const cuts: RecordCut[] = [];
  let windowStart = 0;
  let window: Uint8Array = new Uint8Array(0);
  for (let target = partBytes; target < byteLength; ) {
    // If the byte before the target ends a record, the cut is at the target itself.
    let at = target - 1;
    let found = -1;
    while (found < 0 && at < byteLength) {
      if (at < windowStart || at >= windowStart + window.length) {
        window = await source.slice(at, at + WINDOW_BYTES, { signal });
        windowStart = at;
      }
      found = window.indexOf(mark, at - windowStart);
      if (found < 0) at = windowStart + window.length;
    }
    const byteOffset = windowStart + found + 1;
    if (found < 0 || byteOffset >= byteLength) break;
    cuts.push({ byteOffset });
    target = Math.max(byteOffset + 1, (Math.floor(byteOffset / partBytes) + 1) * partBytes);
  }
  return cuts;
}
