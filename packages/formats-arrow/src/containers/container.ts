/** The magic at the start and end of an IPC file. */
export const FILE_MAGIC = "ARROW1";
/** Length in bytes of the padded magic at the start of an IPC file. */
export const MAGIC_BYTES = 8;
/** The magic at the start and end of a Feather V1 file. */
export const FEATHER_MAGIC = "FEA1";
const GZIP_MAGIC = "\x1f\x8b";
const CONTINUATION = "\xff\xff\xff\xff";

/** The containers of record batches. `"gzip"` is a compressed stream, or a compressed file that is read like a stream. */
export type Container = "file" | "stream" | "feather-v1" | "gzip";

/**
 * Returns the container that begins with these eight bytes. Streams written before Arrow 0.15 begin without a marker, so
 * bytes without a known magic count as a stream.
 */
export function containerOf(head: Uint8Array): Container {
  const text = textOf(head);
  if (text.startsWith(FILE_MAGIC)) return "file";
  if (text.startsWith(FEATHER_MAGIC)) return "feather-v1";
  return text.startsWith(GZIP_MAGIC) ? "gzip" : "stream";
}

/** True if the bytes are the start of an Arrow file or stream. Misses streams from before Arrow 0.15. */
export function sniffArrow(head: Uint8Array): boolean {
  const text = textOf(head);
  return [`${FILE_MAGIC}\0\0`, FEATHER_MAGIC, CONTINUATION].some((magic) => text.startsWith(magic));
}

/** True if the first four bytes are those of an IPC file. */
export function isFileHead(head: Uint8Array): boolean {
  return head.length >= 4 && FILE_MAGIC.startsWith(textOf(head.subarray(0, 4)));
}

/** Returns the first eight bytes as text, with one character per byte. */
export function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, MAGIC_BYTES));
}
