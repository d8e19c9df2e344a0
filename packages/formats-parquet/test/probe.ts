import { readFileSync } from "node:fs";
import path from "node:path";
import { type ByteRange, type ByteSource, bytesSource } from "@tfxio/wire";

export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(path.join(import.meta.dirname, "fixtures", name)));
}

/** A source that notes which bytes it was asked for. */
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
