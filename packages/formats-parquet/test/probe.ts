import { readFileSync } from "node:fs";
import path from "node:path";
import { type ByteRange, type ByteSource, bytesSource } from "@tfxio/wire";

export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(path.join(import.meta.dirname, "fixtures", name)));
}

/** Creates a source that records the requested byte ranges. */
export function notedSource(bytes: Uint8Array): {
  readonly source: ByteSource;
  readonly ranges: ByteRange[];
} {
  const ranges: ByteRange[] = [];
  const inner = bytesSource(bytes, "noted.parquet");
  const source: ByteSource = {
    ...inner,
    uri: inner.uri,
    byteLength: bytes.length,
    slice(start, end, options) {
      ranges.push({ start, end });
      return inner.slice(start, end, options);
    },
    stream: (options) => inner.stream(options),
  };
  return { source, ranges };
}

/** A slice of a {@link handedSource}, and the memory that the source handed over. */
interface HandedSlice extends ByteRange {
  readonly buffer: ArrayBufferLike;
}

/** Creates a source that records its slices. Each slice is new memory, like a slice of a file. */
export function handedSource(
  bytes: Uint8Array,
  uri = "handed.parquet",
): { readonly source: ByteSource; readonly slices: readonly HandedSlice[] } {
  const slices: HandedSlice[] = [];
  const inner = bytesSource(bytes, uri);
  const source: ByteSource = {
    uri,
    byteLength: bytes.length,
    handsOverSlices: true,
    async slice(start, end, options) {
      const copy = (await inner.slice(start, end, options)).slice();
      slices.push({ start, end, buffer: copy.buffer });
      return copy;
    },
    stream: (options) => inner.stream(options),
  };
  return { source, slices };
}
