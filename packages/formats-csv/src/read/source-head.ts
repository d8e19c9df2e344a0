import { type ByteSource, bytesSource, decompressed, isTfxioError, type TfxioError } from "@tfxio/wire";
import type { CsvOptions } from "../options.js";

export interface SourceHead {
  /** Uncompressed bytes from the start. */
  readonly bytes: Uint8Array;
  /** True if it is known that the source holds no more bytes. */
  readonly isWhole: boolean;
  /** The error that a read of the source throws after these bytes. Undefined if the stored bytes that were read are intact. */
  readonly damage?: TfxioError | undefined;
}

/**
 * Returns the uncompressed content of the first `numBytes` stored bytes of a source, as far as they are intact. Reads only those
 * bytes, because a stream must buffer every byte that is read ahead.
 */
export async function readHead(
  source: ByteSource,
  numBytes: number,
  { compression }: Pick<CsvOptions, "compression">,
  signal: AbortSignal | undefined,
): Promise<SourceHead> {
  const stored = await source.slice(0, numBytes, { signal });
  const isWhole = stored.length < numBytes;
  const parts: Uint8Array[] = [];
  let damage: TfxioError | undefined;
  try {
    for await (const chunk of decompressed(bytesSource(stored, source.uri), { compression, signal })) {
      parts.push(chunk);
    }
  } catch (error) {
    if (!isTfxioError(error, "truncated-record", "corrupt-record")) throw error;
    // If the source holds more bytes than were read, the data only seems to be truncated.
    if (isWhole || error.code !== "truncated-record") damage = error;
  }
  return { bytes: joined(parts), isWhole: isWhole && damage === undefined, damage };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(0)] = parts;
  if (parts.length < 2) return first;
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** True if a source is compressed. With `compression: "auto"`, checks its first bytes for gzip. */
export async function isCompressed(
  source: ByteSource,
  { compression }: Pick<CsvOptions, "compression">,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (compression !== "auto") return compression !== "none";
  const [first, second, method] = await source.slice(0, 3, { signal });
  return first === 0x1f && second === 0x8b && method === 8;
}
